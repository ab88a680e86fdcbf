import { type Execution, executionSchema, type ToolCallRecord } from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { listToolCalls } from "./list-tool-calls.ts";
import type { FallbackError } from "./on-tool-error.ts";

/** An execution that has ended: its record as the gateway has it, and its tool calls in the order of their requests. */
export interface ExecutionResult extends Execution {
  readonly toolCalls: readonly ToolCallRecord[];
  /** Fallbacks that could not be given: `onToolError` threw, or its answer was refused. Empty otherwise. */
  readonly fallbackErrors: readonly FallbackError[];
}

/** Reads the record of an execution that has ended. */
export async function loadResult(
  transport: Transport,
  executionId: string,
  { fallbackErrors, signal }: { fallbackErrors: readonly FallbackError[]; signal: AbortSignal | undefined },
): Promise<ExecutionResult> {
  const [execution, toolCalls] = await Promise.all([
    transport.json({ method: "GET", path: `/v1/executions/${executionId}`, signal }, executionSchema),
    listToolCalls(transport, executionId, { signal }).toArray(),
  ]);
  return { ...execution, toolCalls, fallbackErrors: [...fallbackErrors] };
}
