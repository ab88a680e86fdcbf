import { isObject } from "@yagate/lib/json/json-object";
import { DocumentError } from "../../port.ts";

/**
 * Maximum size of one buffer. A stream of a few kilobytes may unpack to gigabytes, and the thread's own memory limit
 * covers only the heap.
 */
const MAX_BUFFER_BYTES = 96 * 1_024 * 1_024;
/**
 * Maximum total size of all buffers allocated for a document. Freed buffers count, because nested streams are all kept.
 */
const MAX_DOCUMENT_BYTES = 256 * 1_024 * 1_024;
/** Additional buffer size allowed for each page. */
const MAX_PAGE_BYTES = 2 * 1_024 * 1_024;

let isBound = false;
let left = MAX_DOCUMENT_BYTES;

/**
 * Starts a document: from now on, limits each buffer that this thread allocates to 96 MiB, and all buffers together to
 * 256 MiB. Disables native decompression, because these limits do not apply to its allocations.
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

/** Starts a page: increases the remaining total by 2 MiB, to at most 256 MiB. */
export function allowPage(): void {
  if (left >= 0) left = Math.min(MAX_DOCUMENT_BYTES, left + MAX_PAGE_BYTES);
}

/**
 * Checks whether a limit was exceeded. Needed because the library treats the error as a damaged part of the file and
 * continues.
 *
 * @throws DocumentError `limit` if the document has exceeded a limit.
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
      if (!isObject(made)) throw new TypeError("expected a constructor to create an object");
      // A view of an existing buffer allocates nothing.
      if (length instanceof ArrayBuffer) return made;
      if ("byteLength" in made && typeof made.byteLength === "number") left -= made.byteLength;
      checkAllocations();
      return made;
    },
  });
}
