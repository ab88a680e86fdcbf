import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { repositoryRoot } from "./repository-root.ts";

const manifestSchema = z.object({
  name: z.string(),
  private: z.boolean().default(false),
  exports: z.record(z.string(), z.unknown()),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** A package that is published from this repository. */
export interface WorkspacePackage {
  readonly name: string;
  readonly folder: string;
  /** Keys of `exports`: `.`, `./express`, … */
  readonly subpaths: readonly string[];
  readonly hasCommonJs: boolean;
  /** Names of the workspace packages that it depends on. */
  readonly needs: readonly string[];
}

/** Returns the published packages, each after those that it depends on. */
export function workspacePackages(): readonly WorkspacePackage[] {
  const parent = join(repositoryRoot, "packages");
  const found = readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    // A private package is bundled into the published ones that use it.
    .filter(({ manifest }) => !manifest.private);
  const names = new Set(found.map(({ manifest }) => manifest.name));
  const waiting = found.map(({ folder, manifest }) => ({
    name: manifest.name,
    folder,
    subpaths: Object.keys(manifest.exports),
    hasCommonJs: JSON.stringify(manifest.exports).includes('"require"'),
    needs: Object.keys(manifest.dependencies).filter((name) => names.has(name)),
  }));
  return inDependencyOrder(waiting);
}

function inDependencyOrder(packages: readonly WorkspacePackage[]): readonly WorkspacePackage[] {
  const ordered: WorkspacePackage[] = [];
  const isReady = (candidate: WorkspacePackage) =>
    candidate.needs.every((name) => ordered.some((done) => done.name === name));
  while (ordered.length < packages.length) {
    const next = packages.find((candidate) => !ordered.includes(candidate) && isReady(candidate));
    if (next === undefined) throw new Error("the packages depend on each other in a circle");
    ordered.push(next);
  }
  return ordered;
}

function readManifest(folder: string) {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}
