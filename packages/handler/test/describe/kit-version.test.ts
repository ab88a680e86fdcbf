import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { KIT_VERSION } from "../../src/describe/kit-version.ts";

it("is the version of the package", () => {
  expect(KIT_VERSION).toBe(`${manifest.name} ${manifest.version}`);
});
