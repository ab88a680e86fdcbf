import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { YagateError } from "@yagate/protocol";
import type { BuiltinContext, BuiltinError, BuiltinTool } from "../builtin-tool.ts";
import type { JsonJob, JsonJobResult } from "./json-validation.ts";
import { JSON_VALIDATOR_PARAMETERS, toJsonJob } from "./json-validator-arguments.ts";
import { JSON_VALIDATOR_LIMITS } from "./limits.ts";

/** The worker's file: next to this file in the sources, next to the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./json-validator-worker.ts" : "./json-validator-worker.js",
  import.meta.url,
);

const DESCRIPTION = [
  "Checks whether a text is JSON and shows the first error (line, column, what was expected, what was probably meant);",
  "whether a value matches a JSON Schema (drafts 04, 06, 07, 2019-09, 2020-12), with a path and message for each error;",
  "whether a schema is valid; or infers a schema from samples. Pass doubtful JSON as text, unchanged.",
  'Examples: {"json": "{\\"a\\": 1,}"}, {"json": {"age": 17}, "schema": {"properties": {"age": {"minimum": 18}}}}, {"samples": [{"id": 1}]}.',
  "Returns valid, and errors with path and message; warnings report duplicate names and numbers that lose digits.",
].join(" ");

/** Limits of a tool that override `JSON_VALIDATOR_LIMITS`. */
export interface JsonValidatorOptions {
  readonly timeoutMs?: number;
  readonly memoryMegabytes?: number;
}

/** The tool, and a function that terminates its threads. The threads do not keep the process alive. */
export interface JsonValidator {
  readonly tool: BuiltinTool;
  close(): Promise<void>;
}

/** The `json_validator` tool of this process. All agents share its threads. */
export const jsonValidatorTool: BuiltinTool = createJsonValidator().tool;

/**
 * Creates a `json_validator` tool with its own threads. Untrusted schemas and values are processed only in these
 * threads, with limits on time, memory, depth and steps. Nothing is fetched, and schemas are never compiled to code.
 */
export function createJsonValidator(options: JsonValidatorOptions = {}): JsonValidator {
  const { timeoutMs, memoryMegabytes, maxDataCharacters } = { ...JSON_VALIDATOR_LIMITS, ...options };
  const pool = createWorkerPool<JsonJob, JsonJobResult>({
    file: WORKER,
    memoryMegabytes,
    // Calls may wait until their deadline, because their executions keep the arguments in memory anyway.
    maxRunning: 2,
    maxJobsPerWorker: 1_000,
    maxIdleMs: 60_000,
  });
  const tool: BuiltinTool = {
    name: "json_validator",
    description: DESCRIPTION,
    parameters: JSON_VALIDATOR_PARAMETERS,
    sideEffect: "read_only",
    kind: "compute",
    isConfigured: true,
    async execute(parameters, { signal, workspaceId }: BuiltinContext) {
      const job = toJsonJob(parameters);
      if ("missing" in job) return { error: wrongArguments(job.missing) };
      const characters = JSON.stringify(parameters).length;
      if (characters > 2 * maxDataCharacters) return { error: wrongArguments("the arguments are too large") };
      try {
        return { result: await pool.run(job, { timeoutMs, characters, owner: workspaceId, signal }) };
      } catch (error) {
        return { error: toBuiltinError(error, timeoutMs) };
      }
    },
  };
  return { tool, close: () => pool.close() };
}

function toBuiltinError(error: unknown, timeoutMs: number): BuiltinError {
  if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return wrongArguments(error.message);
  if (!(error instanceof IsolationError)) throw error;
  switch (error.reason) {
    case "aborted":
      return { code: "CANCELLED", message: "the call was cancelled before the check was done" };
    case "time":
      return tooMuch(`it took longer than ${timeoutMs} ms`);
    case "memory":
      return tooMuch("it exceeded the memory limit");
    case "depth":
      return tooMuch("the input is nested too deeply");
    case "busy":
      // The number of waiting calls is not limited.
      throw error;
  }
}

function tooMuch(message: string): BuiltinError {
  return {
    code: "INVALID_ARGUMENTS",
    message: `the check was stopped: ${message}`,
    hint: "call with a smaller value or a simpler schema: fewer alternatives, less nesting",
    retryable: true,
  };
}

function wrongArguments(message: string): BuiltinError {
  return { code: "INVALID_ARGUMENTS", message, hint: "correct the arguments and call again", retryable: true };
}
