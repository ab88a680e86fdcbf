import { toVisibleLine, type WorkspaceTool } from "@yagate/protocol";
import { printWarnings } from "../print-warnings.ts";

/** Prints what keeps a draft from being tested, and on the standard error what is probably not meant. */
export function printFindings({ name, status, problems, remarks }: WorkspaceTool, indent = "  "): void {
  for (const { path, message } of problems ?? []) console.log(`${indent}${toVisibleLine(`${path}: ${message}`)}`);
  if (status === "draft" && problems?.length === 0)
    console.log(`${indent}${toVisibleLine(`nothing is missing: yagate tools test ${name}`)}`);
  printWarnings(remarks, indent);
}
