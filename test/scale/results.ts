import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Results } from "./report.ts";

/** The file that `npm run scale` writes. */
export const RESULTS = fileURLToPath(new URL("results.json", import.meta.url));

/** The last results, as they were written. */
export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS, "utf8"));
}
