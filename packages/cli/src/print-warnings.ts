import { toVisibleLine, type Warning } from "@yagate/protocol";

/** Prints warnings on the standard error, one a line: `critical UNKNOWN_SECRET tools[0].rest.credential: …`. */
export function printWarnings(warnings: readonly Warning[] = [], indent = "  "): void {
  for (const { code, severity, path, message } of warnings) {
    console.error(`${indent}${toVisibleLine(`${severity} ${code} ${path}: ${message}`)}`);
  }
}
