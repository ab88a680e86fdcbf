/** Recognises bytes of another realm too (a test runner's, a worker's), where `instanceof` fails. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}
