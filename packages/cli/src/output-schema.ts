import { readFileSync } from "node:fs";

/** The JSON Schema of everything that `--json` prints, as it is shipped. */
export function outputSchema(): string {
  return readFileSync(new URL("../schemas/output.json", import.meta.url), "utf8");
}
