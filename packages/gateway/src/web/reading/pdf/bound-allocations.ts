import { DocumentError } from "../../port.ts";

/** A stream of a few kilobytes may unpack to gigabytes, outside of the heap whose size bounds a thread. */
const MAX_BUFFER_BYTES = 96 * 1_024 * 1_024;

let isBound = false;

/**
 * Holds each buffer that is made in this thread from now on to 96 MiB, and has streams unpacked step by step: what the
 * engine itself unpacks grows without anybody being asked.
 */
export function boundAllocations(): void {
  if (isBound) return;
  isBound = true;
  globalThis.Uint8Array = bounded(globalThis.Uint8Array);
  globalThis.Uint8ClampedArray = bounded(globalThis.Uint8ClampedArray);
  globalThis.Uint16Array = bounded(globalThis.Uint16Array);
  globalThis.Uint32Array = bounded(globalThis.Uint32Array);
  globalThis.Int32Array = bounded(globalThis.Int32Array);
  globalThis.Float32Array = bounded(globalThis.Float32Array);
  globalThis.ArrayBuffer = bounded(globalThis.ArrayBuffer);
  Reflect.deleteProperty(globalThis, "DecompressionStream");
}

function bounded<T extends new (...args: never) => object>(kind: T): T {
  return new Proxy(kind, {
    construct(target, args: unknown[], newTarget) {
      const [length] = args;
      if (typeof length === "number" && length > MAX_BUFFER_BYTES) {
        throw new DocumentError("limit", `a part of it unpacks to more than ${MAX_BUFFER_BYTES} bytes`);
      }
      const made: unknown = Reflect.construct(target, args, newTarget);
      if (typeof made !== "object" || made === null) throw new TypeError("expected a constructor to make an object");
      return made;
    },
  });
}
