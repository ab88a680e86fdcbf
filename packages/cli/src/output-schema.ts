import { readFileSync } from "node:fs";

/** Returns the JSON Schema of all `--json` output, as included in the package. */
export function outputSchema(): string {
  return readFileSync(new URL("../schemas/output.json", import.meta.url), "utf8");
}
