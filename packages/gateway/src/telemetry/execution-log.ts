import type { Logger } from "@yagate/lib/logging/logger";
import { type ExecutionEvent, type ExecutionStatus, hasEnded } from "@yagate/protocol";

/** What became durable in one append. */
interface LoggedAppend {
  readonly executionId: string;
  readonly entries: readonly { readonly event: ExecutionEvent }[];
  readonly summary: {
    readonly status: ExecutionStatus;
    readonly stopReason: string | null;
    readonly error: { readonly code: string } | null;
    readonly usage: { readonly toolCalls: number };
    /** ms since the epoch. */
    readonly startedAt: number | null;
    readonly finishedAt: number | null;
  };
}

/**
 * Writes a line for each execution that ends and, at the level `debug`, for each request that it made. A call that was
 * refused at its last check is told at the level `warn`: what it would have sent was allowed, and is not that any more.
 * So is why a model's reply could not be read. No content.
 */
export function createExecutionLog(logger: Logger): { onAppended(append: LoggedAppend): void } {
  function tell(event: ExecutionEvent): void {
    const { executionId } = event;
    if (event.type === "attempt.finished") {
      const { toolCallId, attemptId, number, httpStatus, errorCode: code, durationMs: ms } = event;
      logger.debug({ executionId, toolCallId, attemptId, number, httpStatus, code, ms }, "attempt finished");
    } else if (event.type === "tool_call.failed") {
      const { toolCallId, error } = event;
      if (error.code !== "POLICY_DENIED" || error.source !== "gateway") return;
      logger.warn({ executionId, toolCallId, code: error.code }, "a call was refused: it is not what was allowed");
    } else if (event.type === "model.responded" || event.type === "model.failed") {
      const { turn, attempt } = event;
      const { code, developerMessage } = event.type === "model.failed" ? event.error : {};
      logger.debug({ executionId, turn, attempt, code }, "model request finished");
      if (developerMessage === undefined) return;
      logger.warn({ executionId, turn, attempt, code, developerMessage }, "a model's reply could not be read");
    }
  }

  return {
    onAppended({ executionId, entries, summary }) {
      for (const { event } of entries) tell(event);
      const { status, stopReason, error, usage, startedAt, finishedAt } = summary;
      if (!hasEnded(status)) return;
      const ms = startedAt === null || finishedAt === null ? undefined : finishedAt - startedAt;
      const { toolCalls } = usage;
      logger.info({ executionId, status, stopReason, code: error?.code, toolCalls, ms }, "execution ended");
    },
  };
}
