import { readFileSync } from "node:fs";

/** The JSON Schema of all `--json` output, as shipped. */
export function outputSchema(): string {
  return readFileSync(new URL("../schemas/output.json", import.meta.url), "utf8");
}
