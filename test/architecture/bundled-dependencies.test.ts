import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { readSourceGraph } from "./source-graph.ts";

const manifestSchema = z.object({
  name: z.string(),
  private: z.boolean().default(false),
  dependencies: z.record(z.string(), z.string()).default({}),
});

const manifests = globSync("packages/*/package.json", { cwd: repositoryRoot }).map((path) => ({
  folder: basename(dirname(path)),
  ...manifestSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, path), "utf8"))),
}));
const published = manifests.filter((manifest) => !manifest.private);
const privates = manifests.filter((manifest) => manifest.private);
const graph = readSourceGraph();

function ownerOf(file: string) {
  return privates.find(({ folder }) => file.startsWith(`packages/${folder}/`));
}

/** The libraries that the private modules in a package's bundle load, as `name version`. */
function bundledLibraries(folder: string): readonly string[] {
  const files = new Set([...graph.keys()].filter((file) => file.startsWith(`packages/${folder}/src/`)));
  const found = new Set<string>();
  for (const file of files) {
    const owner = ownerOf(file);
    for (const { to, isTypeOnly } of graph.get(file) ?? []) {
      if (ownerOf(to) !== undefined) files.add(to);
      const library = to
        .split("/")
        .slice(0, to.startsWith("@") ? 2 : 1)
        .join("/");
      const version = owner?.dependencies[library];
      if (!isTypeOnly && version !== undefined) found.add(`${library} ${version}`);
    }
  }
  return [...found];
}

it.each(published)("$name depends on no private package at run time", ({ dependencies }) => {
  const names = privates.map(({ name }) => name);
  expect(Object.keys(dependencies).filter((name) => names.includes(name))).toEqual([]);
});

it.each(published)("$name installs what the modules bundled into it load, in the same version", (manifest) => {
  const own = Object.entries(manifest.dependencies).map(([name, version]) => `${name} ${version}`);
  expect(bundledLibraries(manifest.folder).filter((needed) => !own.includes(needed))).toEqual([]);
});

it("the bundles are read: the gateway's has the libraries of the building blocks", () => {
  expect(bundledLibraries("gateway").map((needed) => needed.split(" ")[0])).toContain("re2js");
});
