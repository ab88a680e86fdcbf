/**
 * Why a job has no answer: it took longer than it may, more memory than it may, it nested deeper than a stack is, too much
 * was waiting before it, or the job was cancelled.
 */
export type IsolationReason = "time" | "memory" | "depth" | "busy" | "aborted";

/** A job ended without an answer, by no defect of ours. */
export class IsolationError extends Error {
  override readonly name = "IsolationError";
  readonly reason: IsolationReason;

  constructor(reason: IsolationReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
