import type { CallContinuation } from "@yagate/execution-machine/call-outcome";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import type { JsonObject, JsonValue, Resumption } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import type { ToolCall } from "../../tools/port.ts";

/**
 * Creates the call that an executor receives.
 *
 * @param call.attempt - number of the attempt; default 1.
 */
export function toToolCall(
  execution: ExecutionRow,
  call: {
    readonly toolCallId: string;
    readonly name: string;
    readonly parameters: JsonValue;
    readonly attempt?: number;
    readonly primitiveOrdinal?: number | undefined;
    readonly isPaid?: boolean;
    readonly leakedSecrets?: readonly string[];
    readonly continuation?: CallContinuation | undefined;
    readonly resumption?: Resumption | undefined;
  },
): ToolCall {
  const { caller } = execution.request;
  return {
    workspaceId: execution.workspaceId,
    agentId: execution.agentId,
    executionId: execution.id,
    toolCallId: call.toolCallId,
    name: call.name,
    parameters: toObject(call.parameters),
    attempt: call.attempt ?? 1,
    ...defined({ caller, trace: execution.trace, primitiveOrdinal: call.primitiveOrdinal }),
    ...(call.isPaid === true ? { isPaid: true } : {}),
    ...defined({ leakedSecrets: call.leakedSecrets, continuation: call.continuation, resumption: call.resumption }),
  };
}

function toObject(parameters: JsonValue): JsonObject {
  return isJsonObject(parameters) ? parameters : {};
}
