import { expect, it } from "vitest";
import * as calls from "../src/calls.ts";
import * as index from "../src/index.ts";

it("the package exports all that its part for handlers exports, and the same values", () => {
  expect(Object.keys(calls).length).toBeGreaterThan(20);
  for (const [name, value] of Object.entries(calls)) expect(Reflect.get(index, name)).toBe(value);
});
