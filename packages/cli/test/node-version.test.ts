import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { nodeProblem, OLDEST_NODE } from "../src/node-version.ts";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

it.each([
  ["20.20.2", false],
  ["22.18.9", false],
  ["22.19.0", true],
  ["22.20.0", true],
  ["23.0.0", true],
  ["24.21.0", true],
])("Node %s: it runs is %s", (version, isSupported) => {
  expect(nodeProblem(version) === undefined).toBe(isSupported);
});

it("the package asks for the same Node", () => {
  expect(engines).toEqual({ node: `>=${OLDEST_NODE}` });
});
