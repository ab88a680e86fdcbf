import { createInterface } from "node:readline/promises";
import { toVisibleLine } from "@yagate/protocol";
import type { Terminal } from "../signing-secrets/read-hidden.ts";

const ALL = /^(?:a|all|y|yes)$/i;
const NONE = /^(?:n|no|none)?$/i;

/**
 * Asks which tools to accept, until the answer is all, none or names that exist.
 *
 * @returns the names of the tools; empty for none, and at the end of the input.
 */
export async function chooseTools(names: readonly string[], { input, output }: Terminal): Promise<readonly string[]> {
  const reader = createInterface({ input, output });
  try {
    reader.setPrompt("Accept which tools? all, names, or none [none] ");
    reader.prompt();
    for await (const line of reader) {
      const answer = line.trim();
      if (NONE.test(answer) && !names.includes(answer)) return [];
      if (ALL.test(answer) && !names.includes(answer)) return names;
      const chosen = answer.split(/[\s,]+/).filter((word) => word !== "");
      const unknown = chosen.filter((name) => !names.includes(name));
      if (unknown.length === 0) return [...new Set(chosen)];
      output.write(`${toVisibleLine(`There is no tool ${unknown.join(", ")}.`)}\n`);
      reader.prompt();
    }
    return [];
  } finally {
    reader.close();
  }
}
