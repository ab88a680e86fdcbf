import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import {
  argumentsHash,
  executionInputSchema,
  jsonObjectSchema,
  recordingSchema,
  toFieldErrors,
  YagateError,
} from "@yagate/protocol";
import * as z from "zod";
import type { EvalCase } from "../cases/eval-case.ts";

/** What a judge replied about one output. */
const judgementSchema = z.strictObject({
  /** The hash of the rubric and the output that were judged. */
  hash: z.string(),
  answer: z.string().max(10_000),
});

/** The file from which a case runs without a model provider and without services. */
export const cassetteSchema = z.strictObject({
  version: z.literal(1),
  caseId: z.string(),
  recordedAt: z.string(),
  /** The hash of the input with which the recording was made. */
  inputHash: z.string().optional(),
  /** The hash of the `script` with which the recording was made; absent if the case had none. */
  scriptHash: z.string().optional(),
  recording: recordingSchema,
  judgements: z.array(judgementSchema).max(1_000).default([]),
  /** Present only if the author of the case requested them. */
  input: executionInputSchema.optional(),
  caller: jsonObjectSchema.optional(),
  metadata: jsonObjectSchema.optional(),
});
export type Cassette = z.output<typeof cassetteSchema>;

const RECORD_AGAIN = "record the case again: yagate eval --record";

/** Returns the path of a case's cassette. */
export function cassettePath({ case_id, cassette = `cassettes/${case_id}.json`, file = "." }: EvalCase): string {
  return resolve(dirname(file), cassette);
}

/**
 * Reads the cassette of a case.
 *
 * @returns undefined if there is no such file.
 * @throws YagateError `INVALID_REQUEST` for a file that is not a cassette of this case, input and script.
 */
export async function readCassette(one: EvalCase): Promise<Cassette | undefined> {
  const path = cassettePath(one);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new YagateError("INVALID_REQUEST", `expected a readable cassette: ${path}`, { cause });
  });
  if (text === undefined) return undefined;
  const parsed = cassetteSchema.safeParse(parseJsonOrUndefined(text));
  if (!parsed.success) {
    const [problem = { path: "", message: "expected a cassette" }] = toFieldErrors(parsed.error);
    throw unfit(`${path}: ${problem.path === "" ? "" : `${problem.path}: `}${problem.message}`);
  }
  const { caseId, inputHash, scriptHash } = parsed.data;
  if (caseId !== one.case_id) throw unfit(`${path}: expected a cassette of ${one.case_id}, but it is one of ${caseId}`);
  if (inputHash !== undefined && inputHash !== (await argumentsHash(one.input))) {
    throw unfit(`${path}: the input of the case has changed since it was recorded`);
  }
  // Without a hash, the cassette was made with a real model, or before cassettes contained one.
  if (scriptHash !== undefined && scriptHash !== (await argumentsHash(one.script ?? null))) {
    throw unfit(`${path}: the script of the case has changed since it was recorded`);
  }
  return parsed.data;
}

/** Returns the hash under which a cassette stores the reply of a judge. */
export function judgementHash(rubric: string, output: string): Promise<string> {
  return argumentsHash({ rubric, output });
}

function unfit(message: string): YagateError {
  return new YagateError("INVALID_REQUEST", message, { hint: RECORD_AGAIN });
}
