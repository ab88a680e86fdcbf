import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import type { ModuleGraph, ModuleImport } from "./module-graph.ts";
import { type ImportStatement, readImports } from "./read-imports.ts";

type Conditions = string | { readonly [condition: string]: Conditions };
const conditionsSchema: z.ZodType<Conditions> = z.lazy(() =>
  z.union([z.string(), z.record(z.string(), conditionsSchema)]),
);
const manifestSchema = z.object({
  name: z.string(),
  exports: z.record(z.string(), conditionsSchema).default({}),
  imports: z.record(z.string(), conditionsSchema).default({}),
});

type Manifest = z.infer<typeof manifestSchema> & { readonly folder: string };

const SOURCE_CONDITION = "@yagate/source";

let sourceGraph: ModuleGraph | undefined;

/** The imports of every file in `packages/<name>/src`, read from the sources once in each process. */
export function readSourceGraph(): ModuleGraph {
  sourceGraph ??= readGraph();
  return sourceGraph;
}

function readGraph(): ModuleGraph {
  const manifests = globSync("packages/*/package.json", { cwd: repositoryRoot }).map(readManifest);
  const files = manifests.flatMap(({ folder }) => globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: repositoryRoot }));
  return new Map(files.map((file) => [file, importsOf(file.replaceAll("\\", "/"), manifests)]));
}

function importsOf(file: string, manifests: readonly Manifest[]): readonly ModuleImport[] {
  const text = readFileSync(posix.join(repositoryRoot, file), "utf8");
  return readImports(text).flatMap((statement) =>
    resolve(statement, file, manifests).map((to) => ({ to, isTypeOnly: statement.isTypeOnly })),
  );
}

function resolve({ specifier }: ImportStatement, file: string, manifests: readonly Manifest[]): readonly string[] {
  if (specifier.startsWith(".")) return [posix.join(posix.dirname(file), specifier)];
  if (specifier.startsWith("#")) {
    const owner = manifests.find(({ folder }) => file.startsWith(`${folder}/`));
    return sourceFiles(owner, owner?.imports[specifier]);
  }
  const owner = manifests.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  const targets = sourceFiles(owner, owner?.exports[`.${specifier.slice(owner.name.length)}`]);
  return targets.length > 0 ? targets : [specifier];
}

/** The files that a map of conditions leads to from the source condition on; a private package exports its sources. */
function sourceFiles(owner: Manifest | undefined, conditions: Conditions | undefined): readonly string[] {
  if (owner === undefined || conditions === undefined) return [];
  if (typeof conditions === "string") return conditions.endsWith(".ts") ? [posix.join(owner.folder, conditions)] : [];
  return leaves(conditions[SOURCE_CONDITION]).map((path) => posix.join(owner.folder, path));
}

function leaves(conditions: Conditions | undefined): readonly string[] {
  if (conditions === undefined) return [];
  return typeof conditions === "string" ? [conditions] : Object.values(conditions).flatMap(leaves);
}

function readManifest(path: string): Manifest {
  const text = readFileSync(posix.join(repositoryRoot, path), "utf8");
  return { ...manifestSchema.parse(JSON.parse(text)), folder: posix.dirname(path.replaceAll("\\", "/")) };
}
