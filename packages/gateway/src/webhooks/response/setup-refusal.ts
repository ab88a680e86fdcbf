import { ERROR_TABLE, isErrorCode } from "@yagate/protocol";
import type { Failure } from "../../calls/port.ts";

const MESSAGE = "the tool's service refused the call because of how it is set up";
const HINT = "go on without this tool: only its operator can change that";

/**
 * The failure as the model may read it. The texts of such a refusal say how to mount a handler: they are for people, and
 * become the developer's message. A tool's own error may have the same code, but not with the status of a refusal.
 */
export function withoutSetupAdvice(failure: Failure, status: number): Failure {
  const { code, message, hint, details: _forDevelopers, ...others } = failure;
  if (!isErrorCode(code) || !ERROR_TABLE[code].isSetupFault || ERROR_TABLE[code].status !== status) return failure;
  const advice = [message, hint].filter((text) => text !== undefined && text !== code).join("; ");
  // A handler says nothing but the code to those who may be strangers.
  const developerMessage = `HTTP ${status}: ${advice === "" ? ERROR_TABLE[code].hint : advice}`;
  return { ...others, code, message: MESSAGE, hint: HINT, developerMessage };
}
