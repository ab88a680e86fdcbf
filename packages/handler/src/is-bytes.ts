/** Recognises the bytes of another realm too, such as a test runner's, where `instanceof` alone fails. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]";
}
