/**
 * Checks whether a value is a `Uint8Array`, also one of another realm (such as a test runner or a worker), where
 * `instanceof` fails.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}
