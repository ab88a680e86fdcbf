import { createInterface } from "node:readline/promises";
import { toVisibleLine } from "@yagate/protocol";
import type { Terminal } from "../signing-secrets/read-hidden.ts";
import { findSourceTool, type NamedTool } from "./find-source-tool.ts";

const ALL = /^(?:a|all|y|yes)$/i;
const NONE = /^(?:n|no|none)?$/i;

/**
 * Asks which tools to accept, until the answer is all, none or names that exist.
 *
 * @returns the chosen tools; empty for none, and at the end of the input.
 */
export async function chooseTools<Tool extends NamedTool>(
  tools: readonly Tool[],
  { input, output }: Terminal,
): Promise<readonly Tool[]> {
  const reader = createInterface({ input, output });
  const isName = (text: string) => findSourceTool(tools, text) !== undefined;
  try {
    reader.setPrompt("Accept which tools? all, names, or none [none] ");
    reader.prompt();
    for await (const line of reader) {
      const answer = line.trim();
      if (NONE.test(answer) && !isName(answer)) return [];
      if (ALL.test(answer) && !isName(answer)) return tools;
      const names = answer.split(/[\s,]+/).filter((word) => word !== "");
      const unknown = names.filter((name) => !isName(name));
      if (unknown.length === 0)
        return tools.filter((tool) => names.some((name) => findSourceTool(tools, name) === tool));
      output.write(`${toVisibleLine(`There is no tool ${unknown.join(", ")}.`)}\n`);
      reader.prompt();
    }
    return [];
  } finally {
    reader.close();
  }
}
