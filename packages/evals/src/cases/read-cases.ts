import { readFile } from "node:fs/promises";
import { YagateError } from "@yagate/protocol";
import type { EvalCase } from "./eval-case.ts";
import { parseCases } from "./parse-cases.ts";

/**
 * Reads the cases in files, in the order of the files.
 *
 * @throws YagateError `INVALID_REQUEST` with file and line if a file can't be read or is invalid, and if two files have
 *   cases with the same `case_id`.
 */
export async function readCases(...files: readonly string[]): Promise<readonly EvalCase[]> {
  const found: EvalCase[] = [];
  for (const file of files) found.push(...parseCases(await read(file), file));
  const places = new Map<string, string>();
  for (const { case_id, file = "", line = 1 } of found) {
    const first = places.get(case_id);
    if (first !== undefined) {
      throw refusal(`${file}:${line}: case_id: expected a unique id: ${first} has a case ${case_id}`);
    }
    places.set(case_id, `${file}:${line}`);
  }
  return found;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new YagateError("INVALID_REQUEST", `expected a readable file: ${file}`, { cause });
  }
}

function refusal(message: string): YagateError {
  return new YagateError("INVALID_REQUEST", message, { hint: "each case of a run needs an id of its own" });
}
