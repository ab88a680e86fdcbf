import { type Execution, executionSchema, type ToolCallRecord } from "@yagate/protocol";
import type { Transport } from "../http/transport.ts";
import { listToolCalls } from "./list-tool-calls.ts";
import type { FallbackError } from "./on-tool-error.ts";

/** An execution that has ended, together with its tool calls in the order in which the model requested them. */
export interface ExecutionResult extends Execution {
  readonly toolCalls: readonly ToolCallRecord[];
  /**
   * Fallbacks that were not supplied, because `onToolError` threw or the gateway rejected its result. Empty if there
   * are none.
   */
  readonly fallbackErrors: readonly FallbackError[];
}

/** Loads an execution that has ended, together with its tool calls. */
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
