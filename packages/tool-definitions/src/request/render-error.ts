import { YagateError } from "@yagate/protocol";

/** Reasons why no valid request can be rendered from the arguments of a call. */
export const RENDER_REASONS = [
  "FORBIDDEN_KEY",
  "INVALID_ARGUMENTS",
  "INVALID_HEADER_VALUE",
  "INVALID_PATH_SEGMENT",
  "NOT_A_SCALAR",
  "RENDERED_TOO_LARGE",
] as const;
export type RenderReason = (typeof RENDER_REASONS)[number];

/**
 * Returns why no valid request can be rendered from arguments that match the tool's schema; undefined if one can be
 * rendered.
 */
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
