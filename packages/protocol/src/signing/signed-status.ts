import { YagateError } from "../errors/yagate-error.ts";

/** Throws `PAYLOAD_INVALID` unless a status can be part of a signed text: a whole number, 100 to 599. */
export function assertStatus(status: number): void {
  if (!Number.isInteger(status) || status < 100 || status > 599) {
    throw new YagateError("PAYLOAD_INVALID", "expected an HTTP status from 100 to 599");
  }
}
