/** Checks for bytes. Unlike `instanceof`, this also recognises bytes from another realm, such as a test runner's. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}
