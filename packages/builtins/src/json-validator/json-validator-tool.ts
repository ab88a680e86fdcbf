import { IsolationError } from "@yagate/lib/workers/isolation-error";
import { createWorkerPool } from "@yagate/lib/workers/worker-pool";
import { YagateError } from "@yagate/protocol";
import type { BuiltinContext, BuiltinError, BuiltinTool } from "../builtin-tool.ts";
import type { JsonJob, JsonJobResult } from "./json-validation.ts";
import { JSON_VALIDATOR_PARAMETERS, toJsonJob } from "./json-validator-arguments.ts";
import { JSON_VALIDATOR_LIMITS } from "./limits.ts";

/** The worker's file: beside this one in the sources, beside the bundle in the package. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./json-validator-worker.ts" : "./json-validator-worker.js",
  import.meta.url,
);

const DESCRIPTION = [
  "Checks whether a text is JSON and says where it breaks (line, column, what was expected, what was probably meant);",
  "whether a value fits a JSON Schema (drafts 04, 06, 07, 2019-09, 2020-12), with a path and plain words for each error;",
  "whether a schema is right; or makes a schema of samples. Pass JSON in question as a text, unchanged.",
  'Examples: {"json": "{\\"a\\": 1,}"}, {"json": {"age": 17}, "schema": {"properties": {"age": {"minimum": 18}}}}, {"samples": [{"id": 1}]}.',
  "Returns valid, and errors with path and message; warnings tell of duplicate names and numbers that lose digits.",
].join(" ");

/** Limits of a tool, over those of `JSON_VALIDATOR_LIMITS`. */
export interface JsonValidatorOptions {
  readonly timeoutMs?: number;
  readonly memoryMegabytes?: number;
}

/** The tool and the end of its threads, which keep no process alive. */
export interface JsonValidator {
  readonly tool: BuiltinTool;
  close(): Promise<void>;
}

/** The `json_validator` of this process: its threads are shared by all agents. */
export const jsonValidatorTool: BuiltinTool = createJsonValidator().tool;

/**
 * Makes a `json_validator` with threads of its own. Schemas and values of strangers are only ever read there, with bounds
 * on time, memory, depth and steps; nothing is fetched, and no schema becomes code.
 */
export function createJsonValidator(options: JsonValidatorOptions = {}): JsonValidator {
  const { timeoutMs, memoryMegabytes, maxDataCharacters } = { ...JSON_VALIDATOR_LIMITS, ...options };
  const pool = createWorkerPool<JsonJob, JsonJobResult>({
    file: WORKER,
    memoryMegabytes,
    // Calls wait as long as their deadlines let them; what they hold on to is held by their executions anyway.
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
      return tooMuch("it took more memory than it may");
    case "depth":
      return tooMuch("it nests deeper than can be followed");
    case "busy":
      // Nothing bounds how many calls wait.
      throw error;
  }
}

function tooMuch(message: string): BuiltinError {
  return {
    code: "INVALID_ARGUMENTS",
    message: `the check was ended: ${message}`,
    hint: "call with a smaller value or a simpler schema: fewer alternatives, less nesting",
    retryable: true,
  };
}

function wrongArguments(message: string): BuiltinError {
  return { code: "INVALID_ARGUMENTS", message, hint: "correct the arguments and call again", retryable: true };
}
