import type { ModuleGraph } from "./module-graph.ts";

/** A graph written by hand: `"type x"` is an import of types from `x`. */
export function graphOf(files: Readonly<Record<string, readonly string[]>>): ModuleGraph {
  return new Map(
    Object.entries(files).map(([file, imports]) => [
      file,
      imports.map((text) => ({ to: text.replace(/^type /, ""), isTypeOnly: text.startsWith("type ") })),
    ]),
  );
}
