import { YagateError } from "@yagate/protocol";

/** Checks an idempotency key that the caller set: 1 to 255 printable ASCII characters without spaces. */
export function requireIdempotencyKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return;
  throw new YagateError(
    "INVALID_REQUEST",
    "expected idempotencyKey to be 1 to 255 printable characters without spaces",
  );
}
