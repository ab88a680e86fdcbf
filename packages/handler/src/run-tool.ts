import { type ToolCall, YagateError } from "@yagate/protocol/calls";
import { safeParseAsync } from "zod";
import { findUnfaithful } from "#development";
import type { CallOutcome } from "./idempotency/store.ts";
import { kitErrorOutcome, pendingOutcome, resultOutcome, toolErrorOutcome } from "./outcomes.ts";
import { type ParameterFault, toParameterFaults } from "./parameter-faults.ts";
import { isZodSchema, type Tool } from "./tool.ts";
import type { RunContext } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

/** How a run ended. */
export interface RunEnd {
  readonly outcome: CallOutcome;
  /** Whether the outcome is final. If it is not, the same call may run again. */
  readonly isFinal: boolean;
}

const MAX_NAMED_FIELDS = 20;

/** Runs a tool once. Never rejects, whatever the tool does. */
export async function runTool(
  tool: Tool | undefined,
  call: ToolCall,
  context: RunContext,
  isDevelopment: boolean,
): Promise<RunEnd> {
  if (tool === undefined) {
    return {
      outcome: kitErrorOutcome(call, "UNKNOWN_TOOL", "this handler has no tool with this name"),
      isFinal: false,
    };
  }
  try {
    let parameters: Record<string, unknown> = call.parameters;
    if (isZodSchema(tool.parameters)) {
      const parsed = await safeParseAsync(tool.parameters, parameters);
      if (!parsed.success)
        return { outcome: invalidArguments(call, toParameterFaults(parsed.error.issues)), isFinal: false };
      parameters = parsed.data;
    }
    const result = await tool.execute(parameters, context);
    if (context.isDeferred) return { outcome: pendingOutcome(call), isFinal: true };
    const fault = isDevelopment ? findUnfaithful(result) : undefined;
    if (fault !== undefined) throw new TypeError(fault);
    return { outcome: resultOutcome(call, result), isFinal: true };
  } catch (error) {
    return toFailure(call, error, context);
  }
}

function invalidArguments(call: ToolCall, faults: readonly ParameterFault[]): CallOutcome {
  const named = faults.slice(0, MAX_NAMED_FIELDS);
  const message = named.map(({ path, message }) => `${path === "" ? "parameters" : path}: ${message}`).join("; ");
  const details = { errors: named.map((fault) => ({ ...fault })) };
  return kitErrorOutcome(call, "INVALID_ARGUMENTS", message, { details });
}

function toFailure(call: ToolCall, thrown: unknown, { logger }: RunContext): RunEnd {
  let problem = "the tool threw an error, or returned a value that is not JSON";
  let error = thrown;
  if (ToolError.is(error)) {
    try {
      return { outcome: toolErrorOutcome(call, error.toJSON()), isFinal: !error.retryable };
    } catch (cause) {
      problem = "a ToolError's details are not JSON";
      error = cause;
    }
  }
  logger.error(problem, { error });
  // A retry of an invalid request, such as defer() in a tool that is not async, would fail again.
  const isMisuse = YagateError.is(error) && error.code === "INVALID_REQUEST";
  return {
    outcome: kitErrorOutcome(call, "INTERNAL", "the tool failed unexpectedly", isMisuse ? { retryable: false } : {}),
    isFinal: false,
  };
}
