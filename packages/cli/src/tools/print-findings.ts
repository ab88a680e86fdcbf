import { toVisibleLine, type WorkspaceTool } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { printWarnings } from "../print-warnings.ts";

/** Prints what keeps a draft from being tested, and on the standard error what is probably not meant. */
export function printFindings(
  { name, status, problems, remarks }: WorkspaceTool,
  { indent = "  ", lacksSecret = false }: { readonly indent?: string; readonly lacksSecret?: boolean } = {},
): void {
  for (const { path, message } of problems ?? []) console.log(`${indent}${toVisibleLine(`${path}: ${message}`)}`);
  if (status === "draft" && problems?.length === 0) {
    const next = lacksSecret ? "needs a secret" : `nothing is missing: ${commandName()} tools test ${name}`;
    console.log(`${indent}${toVisibleLine(next)}`);
  }
  printWarnings(remarks, indent);
}
