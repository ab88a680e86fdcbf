import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";
import { openVersions } from "./rules/exact-versions.ts";

const sectionSchema = z.record(z.string(), z.string()).optional();
const manifestSchema = z.object({
  dependencies: sectionSchema,
  devDependencies: sectionSchema,
  optionalDependencies: sectionSchema,
  overrides: sectionSchema,
});

const manifests = repositoryFiles().filter((path) => /(^|\/)package\.json$/.test(path));

it.each(manifests)("%s pins every version", (path) => {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, path), "utf8")));
  expect(openVersions(manifest)).toEqual([]);
});

it.each(["^1.2.3", "~1.2.3", "1.x", "*", "latest", ">=1.0.0", "workspace:*", "npm:zod@^4.0.0", "file:../a"])(
  "%s would be refused",
  (version) => {
    expect(openVersions({ optionalDependencies: { zod: version } })).toEqual([`optionalDependencies: zod ${version}`]);
  },
);

it.each(["1.2.3", "1.0.0-beta.17", "npm:typescript@7.0.2", "npm:@scope/name@1.0.0"])("%s is exact", (version) => {
  expect(openVersions({ dependencies: { zod: version } })).toEqual([]);
});
