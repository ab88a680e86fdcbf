import { YagateError } from "@yagate/protocol";

/** Reasons why the arguments of a call make no valid request. */
export const RENDER_REASONS = [
  "FORBIDDEN_KEY",
  "INVALID_ARGUMENTS",
  "INVALID_HEADER_VALUE",
  "INVALID_PATH_SEGMENT",
  "NOT_A_SCALAR",
  "RENDERED_TOO_LARGE",
] as const;
export type RenderReason = (typeof RENDER_REASONS)[number];

/** An `INVALID_ARGUMENTS` error for the model, with the reason for tests and logs. */
export class RenderError extends YagateError {
  readonly reason: RenderReason;

  constructor(reason: RenderReason, message: string) {
    super("INVALID_ARGUMENTS", message);
    this.reason = reason;
  }
}
