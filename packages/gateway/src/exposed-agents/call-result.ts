import type { CallToolResult } from "@yagate/mcp/server/port";
import { ERROR_TABLE, type Execution, hasEnded, type ToolCallRecord, YagateError } from "@yagate/protocol";
import { EXECUTION_RESULT_TOOL } from "@yagate/store/tables/exposed-agents";
import { InvalidRequestError } from "../errors/request-errors.ts";

/**
 * Describes an execution to the client that called an agent.
 *
 * @param calls - the tool calls of an execution that has not ended; its pending approvals are among them.
 */
export function toCallResult(execution: Execution, calls: readonly ToolCallRecord[]): CallToolResult {
  const { id, status, output, error, stopReason } = execution;
  const { approvals, asking } = waitingCalls(calls);
  const approvalIds = approvals.flatMap(({ approval }) => approval?.id ?? []);
  const _meta = {
    "yagate/executionId": id,
    "yagate/executionStatus": status,
    ...(approvalIds.length === 0 ? {} : { "yagate/approvalIds": approvalIds }),
    ...(asking.length === 0 ? {} : { "yagate/inputToolCallIds": asking.map((call) => call.id) }),
  };
  const textResult = (text: string, isError: boolean): CallToolResult => ({
    content: [{ type: "text", text }],
    ...(isError ? { isError } : {}),
    _meta,
  });
  if (!hasEnded(status)) {
    const wait = describeWait(id, calls);
    const text =
      wait === undefined
        ? `The execution ${id} is still running. To wait for its result, call ${EXECUTION_RESULT_TOOL} with this executionId.`
        : `${wait} Afterwards, call ${EXECUTION_RESULT_TOOL} with this executionId.`;
    return textResult(text, false);
  }
  if (status === "cancelled") return textResult(`The execution ${id} was cancelled.`, true);
  if (error !== null) return textResult(`The execution ${id} failed. ${error.code}: ${error.message}`, true);
  const text = output?.text ?? "";
  if (text !== "") return textResult(text, false);
  return textResult(`The execution ${id} ended without a reply (${stopReason ?? status}).`, true);
}

/** Returns an error that may be shown to clients: the error itself, or one that hides an unknown error. */
export function toKnownError(error: unknown): YagateError {
  return YagateError.is(error) ? error : new YagateError("INTERNAL", "the gateway failed; its log has the details");
}

/** Describes an error as a result that the client's model can act on. */
export function toErrorResult(error: unknown): CallToolResult {
  const known = toKnownError(error);
  const fields = known instanceof InvalidRequestError ? known.fields : [];
  const lines = [
    `${known.code}: ${known.message}`,
    ...fields.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)),
    ...(known.hint === "" ? [] : [known.hint]),
  ];
  return { content: [{ type: "text", text: lines.join("\n") }], isError: true };
}

/** Checks whether the operator should read about an error. */
export function isOwnFault(error: unknown): boolean {
  return !YagateError.is(error) || ERROR_TABLE[error.code].status >= 500;
}

/** Says which person an execution waits for; undefined if it waits for none. */
export function describeWait(id: string, calls: readonly ToolCallRecord[]): string | undefined {
  const { approvals, asking } = waitingCalls(calls);
  if (approvals.length > 0) {
    const named = approvals.map(({ name, approval }) => `${approval?.id} (the call of ${name})`).join(", ");
    return `The execution ${id} waits until an approver decides: ${named}. This is possible only in Yagate, not here.`;
  }
  if (asking.length === 0) return undefined;
  const named = asking.map((call) => `${call.id} (the call of ${call.name})`).join(", ");
  return `The execution ${id} waits until a person answers the questions of a tool: ${named}. This is possible only in Yagate, not here.`;
}

function waitingCalls(calls: readonly ToolCallRecord[]) {
  return {
    approvals: calls.filter(({ approval }) => approval?.status === "pending"),
    asking: calls.filter(({ status }) => status === "waiting_input"),
  };
}
