import { ERROR_TABLE, type ErrorCode } from "@yagate/protocol";
import type { AttemptFailure } from "../port.ts";

/** How a handler refuses calls that it can't accept as it is deployed: with another secret, behind a body parser. */
const SETUP_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "SIGNATURE_MISSING",
  "SIGNATURE_MALFORMED",
  "SIGNATURE_MISMATCH",
  "TIMESTAMP_TOO_OLD",
  "TIMESTAMP_IN_FUTURE",
  "BODY_ALREADY_PARSED",
  "PAYLOAD_INVALID",
]);

const MESSAGE = "the tool's service refused the call because of how it is set up";
const HINT = "go on without this tool: only its operator can change that";

/**
 * The failure as the model may read it. The texts of such a refusal say how to mount a handler: they are for people, and
 * become the developer's message. A tool's own error may have the same code, but not with the status of a refusal.
 */
export function withoutSetupAdvice(failure: AttemptFailure, status: number): AttemptFailure {
  const { code, message, hint, details: _forDevelopers, ...others } = failure;
  if (!isSetupCode(code) || ERROR_TABLE[code].status !== status) return failure;
  const advice = [message, hint].filter((text) => text !== undefined && text !== code).join("; ");
  // A handler says nothing but the code to those who may be strangers.
  const developerMessage = `HTTP ${status}: ${advice === "" ? ERROR_TABLE[code].hint : advice}`;
  return { ...others, code, message: MESSAGE, hint: HINT, developerMessage };
}

function isSetupCode(code: string): code is ErrorCode {
  return SETUP_CODES.has(code);
}
