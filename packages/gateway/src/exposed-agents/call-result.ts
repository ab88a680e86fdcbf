import type { CallToolResult } from "@yagate/mcp/server/port";
import { ERROR_TABLE, type Execution, hasEnded, type ToolCallRecord, YagateError } from "@yagate/protocol";
import { EXECUTION_RESULT_TOOL } from "@yagate/store/tables/exposed-agents";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { askingCalls, pendingApprovals } from "./person-awaited.ts";

/**
 * Describes an execution to the client that called an agent.
 *
 * @param calls - the tool calls of an execution that has not ended; its pending approvals are among them.
 * @param wait - says which person the execution waits for, in a sentence; undefined if it waits for none.
 */
export function toCallResult(
  execution: Execution,
  calls: readonly ToolCallRecord[],
  wait: string | undefined,
): CallToolResult {
  const { id, status, output, error, stopReason } = execution;
  const approvalIds = pendingApprovals(calls).map(({ approvalId }) => approvalId);
  const asking = askingCalls(calls);
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
