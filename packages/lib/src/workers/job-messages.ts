import type { ErrorCode } from "@yagate/protocol";

/** What a worker is given: one job at a time. */
export interface JobMessage<Request> {
  readonly job: number;
  readonly request: Request;
}

/** What it says of one: its answer, why it was refused, that it nests too deep, or what went wrong. */
export type JobReport<Answer> = { readonly job: number } & (
  | { readonly answer: Answer }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly isTooDeep: true }
  | { readonly defect: string }
);
