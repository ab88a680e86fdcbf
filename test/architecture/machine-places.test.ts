import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";
import { machinePlaces, placesOfThisMachine } from "./rules/machine-places.ts";

it("no file names a place of one machine or a registry's host", () => {
  const here = placesOfThisMachine(repositoryRoot, process.env["npm_config_registry"]);
  const found = repositoryFiles().flatMap((path) =>
    machinePlaces(readFileSync(join(repositoryRoot, path), "utf8"), here).map((place) => `${path}: ${place}`),
  );
  expect(found).toEqual([]);
});

it("the lockfile is among the files that are read", () => {
  expect(repositoryFiles()).toContain("package-lock.json");
});

it.each([
  ["the usual registry", ["https://registry", "npmjs", "org/zod"].join(".")],
  ["a registry of one's own", "https://npm.example.test/zod"],
  ["a checkout", ["", "work", "project"].join("/")],
  ["somebody's home", ["", "home", "ada", "x"].join("/")],
  ["this checkout", "/srv/checkout/packages"],
])("a text that names %s would be refused", (_name, text) => {
  expect(machinePlaces(text, placesOfThisMachine("/srv/checkout", "https://npm.example.test/"))).toHaveLength(1);
});
