/** Why a job failed: it exceeded its time, its memory or the stack, the queue was full, or it was cancelled. */
export type IsolationReason = "time" | "memory" | "depth" | "busy" | "aborted";

/** Thrown for a job that ended without a result, but not because of a defect. */
export class IsolationError extends Error {
  override readonly name = "IsolationError";
  readonly reason: IsolationReason;

  constructor(reason: IsolationReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
