import { isObject } from "@yagate/lib/json/json-object";
import { DocumentError } from "../../port.ts";

/** A stream of a few kilobytes may unpack to gigabytes, outside of the heap whose size bounds a thread. */
const MAX_BUFFER_BYTES = 96 * 1_024 * 1_024;
/** All that one document makes, whether or not it still needs it: streams that hold each other are all kept. */
const MAX_DOCUMENT_BYTES = 256 * 1_024 * 1_024;
/** What each page may make besides. */
const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;

let isBound = false;
let left = MAX_DOCUMENT_BYTES;

/**
 * Begins a document: holds each buffer that is made in this thread from now on to 96 MiB, and all of them together to
 * 256 MiB. It has streams unpacked step by step: what the engine itself unpacks grows without anybody being asked.
 */
export function boundAllocations(): void {
  left = MAX_DOCUMENT_BYTES;
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

/** Begins a page: 2 MiB more may be made, and never more than 256 MiB from now on. */
export function allowPage(): void {
  if (left >= 0) left = Math.min(MAX_DOCUMENT_BYTES, left + MAX_PAGE_BYTES);
}

/**
 * Whoever unpacks takes a limit for a broken part and goes on without it: this asks whether there was one.
 *
 * @throws DocumentError `limit` when the document has made more than it may.
 */
export function checkAllocations(): void {
  if (left < 0) throw new DocumentError("limit", `it unpacks to more than ${MAX_DOCUMENT_BYTES} bytes`);
}

function bounded<T extends new (...args: never) => object>(kind: T): T {
  return new Proxy(kind, {
    construct(target, args: unknown[], newTarget) {
      const [length] = args;
      if (typeof length === "number" && length > MAX_BUFFER_BYTES) {
        throw new DocumentError("limit", `a part of it unpacks to more than ${MAX_BUFFER_BYTES} bytes`);
      }
      const made: unknown = Reflect.construct(target, args, newTarget);
      if (!isObject(made)) throw new TypeError("expected a constructor to make an object");
      // A view of what is there already takes nothing.
      if (length instanceof ArrayBuffer) return made;
      if ("byteLength" in made && typeof made.byteLength === "number") left -= made.byteLength;
      checkAllocations();
      return made;
    },
  });
}
