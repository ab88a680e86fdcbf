import { YagateError } from "../errors/yagate-error.ts";

const SHAPE = /^tc_[A-Za-z0-9_-]+$/;

/** Dots separate the fields of a signed text. A dot in an id would give two different responses the same text. */
export function assertSignable(toolCallId: string): void {
  if (typeof toolCallId !== "string" || !SHAPE.test(toolCallId)) {
    throw new YagateError("PAYLOAD_INVALID", "expected a toolCallId of tc_ and letters, digits, _ and -");
  }
}
