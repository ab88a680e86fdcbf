import { toVisibleLine, type WorkspaceTool } from "@yagate/protocol";
import { commandName } from "../command-name.ts";

/** Returns lines that list what must be corrected before a draft can be tested. */
export function findingsOf(
  { name, status, problems }: WorkspaceTool,
  { indent = "  ", lacksSecret = false }: { readonly indent?: string; readonly lacksSecret?: boolean } = {},
): readonly string[] {
  const lines = (problems ?? []).map(({ path, message }) => `${path}: ${message}`);
  if (status === "draft" && problems?.length === 0) {
    lines.push(lacksSecret ? "needs a secret" : `nothing is missing: ${commandName()} tools test ${name}`);
  }
  return lines.map((line) => `${indent}${toVisibleLine(line)}`);
}
