import { expect, it } from "vitest";
import * as calls from "../src/calls.ts";
import * as index from "../src/index.ts";
import * as manifest from "../src/manifest.ts";

it.each([
  ["calls", calls, 20],
  ["manifest", manifest, 14],
])("the package exports all that its part for %s exports, and the same values", (_part, exports, fewest) => {
  expect(Object.keys(exports).length).toBeGreaterThan(fewest);
  for (const [name, value] of Object.entries(exports)) expect(Reflect.get(index, name)).toBe(value);
});
