/**
 * Checks whether a value is a `Uint8Array`. Unlike `instanceof`, it also recognises one from another realm, such as a
 * test runner or a worker.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}
