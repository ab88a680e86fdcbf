import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { repositoryRoot } from "../../scripts/repository-root.ts";

const manifestSchema = z.object({
  name: z.string(),
  private: z.boolean().default(false),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

const manifests = globSync("packages/*/package.json", { cwd: repositoryRoot }).map((path) =>
  manifestSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, path), "utf8"))),
);
const published = manifests.filter((manifest) => !manifest.private);

/** The private packages whose code ends up in a published one. */
function bundledInto({ dependencies, devDependencies }: Manifest): readonly Manifest[] {
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const direct = manifests.filter((manifest) => manifest.private && names.includes(manifest.name));
  return [...new Set([...direct, ...direct.flatMap(bundledInto)])];
}

it.each(published)("$name depends on no private package at run time", ({ dependencies }) => {
  const names = manifests.filter((manifest) => manifest.private).map(({ name }) => name);
  expect(Object.keys(dependencies).filter((name) => names.includes(name))).toEqual([]);
});

it.each(published)("$name installs what the packages bundled into it need, in the same version", (manifest) => {
  const needed = bundledInto(manifest).flatMap(({ dependencies }) => Object.entries(dependencies));
  const shipped = needed.filter(([name]) => !manifests.some((other) => other.private && other.name === name));
  const own = Object.entries(manifest.dependencies);
  const isMissing = ([name, version]: readonly [string, string]) =>
    !own.some((entry) => entry[0] === name && entry[1] === version);
  expect(shipped.filter(isMissing)).toEqual([]);
});

it("the gateway bundles the shared building blocks", () => {
  const gateway = manifests.find(({ name }) => name === "@yagate/gateway");
  expect(gateway === undefined ? [] : bundledInto(gateway).map(({ name }) => name)).toContain("@yagate/lib");
});
