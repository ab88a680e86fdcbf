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

/** Why no valid request can be rendered from arguments that fit the tool's schema; undefined if one can. */
export function renderProblem(render: () => unknown): string | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return error.message;
    throw error;
  }
}

/** An `INVALID_ARGUMENTS` error for the model, with the reason for tests and logs. */
export class RenderError extends YagateError {
  readonly reason: RenderReason;

  constructor(reason: RenderReason, message: string) {
    super("INVALID_ARGUMENTS", message);
    this.reason = reason;
  }
}
