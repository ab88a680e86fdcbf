import type { ModuleGraph } from "../module-graph.ts";

interface PackageRule {
  /** Folders of `packages/` that it may import. */
  readonly packages: readonly string[];
  /** Libraries that it may import; `undefined` allows all that its manifest declares (knip holds those to be declared). */
  readonly libraries?: readonly string[];
  /** Packages, and libraries that every importer of the subpath has, of which it may use only the types. */
  readonly typesOf?: readonly string[];
  /** The files that may use what only Node has; `undefined` allows all. */
  readonly nodeFiles?: RegExp;
}

/** `protocol ← lib ← egress ← bundled packages ← gateway ← cli`; `protocol, lib ← handler, client ← cli`. */
export const PACKAGE_RULES: Readonly<Record<string, PackageRule>> = {
  protocol: { packages: [], libraries: ["zod"], nodeFiles: /\.node\.ts$/ },
  handler: {
    packages: ["protocol", "lib"],
    libraries: ["zod"],
    typesOf: ["express"],
    nodeFiles: /\/src\/(?:.*[/-])?(node|express|fastify)\b/,
  },
  client: { packages: ["protocol", "lib"], libraries: ["zod"], nodeFiles: /\.node\.ts$/ },
  lib: { packages: ["protocol"] },
  egress: { packages: ["protocol", "lib"] },
  store: { packages: ["protocol", "lib"] },
  models: { packages: ["protocol", "lib", "egress"] },
  builtins: { packages: ["protocol", "lib", "egress"] },
  "tool-definitions": { packages: ["protocol", "lib", "egress"] },
  "tool-sources": { packages: ["protocol", "lib"] },
  "tool-search": { packages: ["lib"] },
  routing: { packages: ["protocol", "lib"] },
  "read-models": { packages: ["protocol", "store"] },
  "api-texts": { packages: [], libraries: [], nodeFiles: /^$/ },
  mcp: { packages: ["protocol", "lib", "egress"] },
  // A clock, a file or a network would make two folds of one log differ.
  "execution-machine": { packages: ["protocol", "lib"], libraries: [], nodeFiles: /^$/ },
  telemetry: { packages: ["protocol", "lib"] },
  // These two get a store as an argument.
  secrets: { packages: ["protocol", "lib"], typesOf: ["store"] },
  receipts: { packages: ["protocol", "lib"], typesOf: ["store", "secrets"] },
  // Calls of tools that ask a model name its question in their types.
  calls: { packages: ["protocol", "lib", "egress"], typesOf: ["builtins", "execution-machine"] },
  webhooks: { packages: ["protocol", "lib", "calls"], typesOf: ["egress", "execution-machine", "secrets", "store"] },
  gateway: {
    packages: [
      "protocol",
      "lib",
      "egress",
      "store",
      "models",
      "builtins",
      "tool-definitions",
      "tool-sources",
      "tool-search",
      "mcp",
      "execution-machine",
      "calls",
      "webhooks",
      "receipts",
      "secrets",
      "telemetry",
      "routing",
      "read-models",
      "api-texts",
    ],
  },
  // It measures parts of all of them, and none imports it.
  bench: {
    packages: [
      "protocol",
      "handler",
      "client",
      "evals",
      "lib",
      "egress",
      "store",
      "models",
      "builtins",
      "tool-definitions",
      "tool-sources",
      "tool-search",
      "routing",
      "read-models",
      "api-texts",
      "mcp",
      "execution-machine",
      "calls",
      "webhooks",
      "receipts",
      "secrets",
      "telemetry",
      "gateway",
    ],
  },
  // Pages of browsers, and clients of the API like any other.
  console: { packages: ["protocol", "lib"], nodeFiles: /^$/ },
  evals: { packages: ["protocol", "lib", "client"] },
  cli: { packages: ["protocol", "lib", "handler", "client", "evals", "gateway"] },
};

/** What breaks the rules, one line each. */
export function packageViolations(graph: ModuleGraph, rules = PACKAGE_RULES): readonly string[] {
  return [...graph].flatMap(([file, imports]) => {
    const name = packageOf(file) ?? file;
    const rule = rules[name];
    if (rule === undefined) return [`${file}: the package "${name}" has no rule`];
    return imports
      .filter(({ to, isTypeOnly }) => !isAllowed(file, to, isTypeOnly, name, rule))
      .map(({ to }) => `${file} imports ${to}`);
  });
}

/** What a package bundles of `lib` and no browser has: Node's modules and libraries, one line each. */
export function unportableBlocks(graph: ModuleGraph, name: string): readonly string[] {
  const files = new Set([...graph.keys()].filter((file) => file.startsWith(`packages/${name}/src/`)));
  const found: string[] = [];
  for (const file of files) {
    for (const { to, isTypeOnly } of graph.get(file) ?? []) {
      if (packageOf(to) === "lib") files.add(to);
      else if (packageOf(file) === "lib" && packageOf(to) === undefined && !isTypeOnly)
        found.push(`${file} imports ${to}`);
    }
  }
  return found;
}

function isAllowed(file: string, to: string, isTypeOnly: boolean, name: string, rule: PackageRule): boolean {
  const target = packageOf(to);
  if (target !== undefined) {
    return target === name || rule.packages.includes(target) || (isTypeOnly && rule.typesOf?.includes(target) === true);
  }
  if (to.startsWith("node:")) return rule.nodeFiles?.test(file) ?? true;
  const library = libraryOf(to);
  if (library.startsWith("@yagate/")) return false;
  if (isTypeOnly && rule.typesOf?.includes(library)) return true;
  return rule.libraries?.includes(library) ?? true;
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

function libraryOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** What a manifest's `dependencies` has beyond its package's rule. */
export function undirectedDependencies(name: string, dependencies: readonly string[]): readonly string[] {
  const rule = PACKAGE_RULES[name];
  if (rule === undefined) return dependencies;
  return dependencies.filter((dependency) => {
    if (dependency.startsWith("@yagate/")) {
      return ![...rule.packages, ...(rule.typesOf ?? [])].includes(dependency.slice("@yagate/".length));
    }
    return rule.libraries !== undefined && !rule.libraries.includes(dependency);
  });
}
