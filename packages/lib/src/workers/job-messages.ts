import type { ErrorCode } from "@yagate/protocol";

/** A message to a worker: one job at a time. */
export interface JobMessage<Request> {
  readonly job: number;
  readonly request: Request;
}

/** A message from a worker: a result, the reason why a job was rejected, a stack overflow, or an unexpected error. */
export type JobReport<Answer> = { readonly job: number } & (
  | { readonly answer: Answer }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly isTooDeep: true }
  | { readonly defect: string }
);
