import { YagateError } from "../errors/yagate-error.ts";

const SHAPE = /^tc_[A-Za-z0-9_-]+$/;

/**
 * Throws `PAYLOAD_INVALID` unless the id can be part of a signed text. Dots separate the fields of a signed text, so if
 * an id could contain a dot, two different responses could have the same signed text.
 */
export function assertSignable(toolCallId: string): void {
  if (typeof toolCallId !== "string" || !SHAPE.test(toolCallId)) {
    throw new YagateError(
      "PAYLOAD_INVALID",
      "expected a toolCallId that starts with tc_ and otherwise contains only letters, digits, _ and -",
    );
  }
}
