/**
 * Why a job failed: it exceeded its time limit, its memory or the stack, the queue was full, or the job was cancelled.
 */
export type IsolationReason = "time" | "memory" | "depth" | "busy" | "aborted";

/** Thrown if a job ended without a result for a reason that is not a defect. */
export class IsolationError extends Error {
  override readonly name = "IsolationError";
  readonly reason: IsolationReason;
  /** Whether the job ended while it waited, so that its input was never read. */
  readonly isUnstarted: boolean;

  constructor(
    reason: IsolationReason,
    message: string,
    { isUnstarted = false, ...options }: ErrorOptions & { readonly isUnstarted?: boolean } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.isUnstarted = isUnstarted;
  }
}
