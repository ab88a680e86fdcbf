import { YagateError } from "../errors/yagate-error.ts";

/** Recognises the bytes of another realm too (a test runner's, a worker's), where `instanceof` alone fails. */
function isBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** What is signed must be bytes: a string or an object would be serialised in some other way than it was sent. */
export function assertBytesToSign(body: Uint8Array): void {
  if (!isBytes(body)) throw new YagateError("PAYLOAD_INVALID", "expected the body as the exact bytes to send");
}

/** A parsed body has no bytes any more; serialising it again would verify another text than the sender's. */
export function assertBytesReceived(body: Uint8Array): void {
  if (!isBytes(body)) throw new YagateError("BODY_ALREADY_PARSED", "expected the body as the exact bytes received");
}
