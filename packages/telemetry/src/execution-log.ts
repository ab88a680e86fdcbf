import type { Logger } from "@yagate/lib/logging/logger";
import { type ExecutionEvent, type ExecutionStatus, hasEnded } from "@yagate/protocol";

/** The events that became durable in one append, with their execution. */
interface LoggedAppend {
  readonly executionId: string;
  readonly entries: readonly { readonly event: ExecutionEvent }[];
  readonly summary: {
    readonly status: ExecutionStatus;
    readonly stopReason: string | null;
    readonly error: { readonly code: string } | null;
    readonly usage: { readonly toolCalls: number };
    /** Start of the execution, in ms since the epoch. */
    readonly startedAt: number | null;
    readonly finishedAt: number | null;
  };
}

/**
 * Logs each execution that ends (`info`), and its model requests and attempts (`debug`). Logs at `warn` each call that
 * the last check blocked because its request changed after it was approved, and the reason why a model's reply could
 * not be parsed. Logs no content.
 */
export function createExecutionLog(logger: Logger): { onAppended(append: LoggedAppend): void } {
  function logEvent(event: ExecutionEvent): void {
    const { executionId } = event;
    if (event.type === "attempt.finished") {
      const { toolCallId, attemptId, number, httpStatus, errorCode: code, durationMs: ms } = event;
      logger.debug({ executionId, toolCallId, attemptId, number, httpStatus, code, ms }, "attempt finished");
    } else if (event.type === "tool_call.failed") {
      const { toolCallId, error } = event;
      if (error.code !== "POLICY_DENIED" || error.source !== "gateway") return;
      logger.warn(
        { executionId, toolCallId, code: error.code },
        "tool call blocked: the request differs from the one that was approved",
      );
    } else if (event.type === "model.responded" || event.type === "model.failed") {
      const { turn, attempt } = event;
      const { code, developerMessage } = event.type === "model.failed" ? event.error : {};
      logger.debug({ executionId, turn, attempt, code }, "model request finished");
      if (developerMessage === undefined) return;
      logger.warn({ executionId, turn, attempt, code, developerMessage }, "the model's reply could not be parsed");
    }
  }

  return {
    onAppended({ executionId, entries, summary }) {
      for (const { event } of entries) logEvent(event);
      const { status, stopReason, error, usage, startedAt, finishedAt } = summary;
      if (!hasEnded(status)) return;
      const ms = startedAt === null || finishedAt === null ? undefined : finishedAt - startedAt;
      const { toolCalls } = usage;
      logger.info({ executionId, status, stopReason, code: error?.code, toolCalls, ms }, "execution ended");
    },
  };
}
