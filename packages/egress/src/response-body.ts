import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import type { ResponseHeaders } from "./exchange.ts";

const LEAST_CAPACITY = 16_384;

/**
 * Collects a body up to a limit.
 *
 * Copies chunks into one buffer as they arrive. If it kept the chunks, a body that arrives in single bytes would take a
 * hundred times its size in small objects.
 */
export class BodyCollector {
  readonly #maxBytes: number;
  #buffer: Uint8Array = new Uint8Array(0);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Number of collected bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds a chunk. If the limit would be exceeded, discards the chunk and returns false. */
  push(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.byteLength;
    if (length > this.#maxBytes) {
      return false;
    }
    if (this.#length === 0) {
      // Most responses arrive in one chunk, which needs no copy.
      this.#buffer = chunk;
    } else {
      this.#reserve(length);
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** Returns the collected bytes. Do not call `push` afterwards. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Discards the collected bytes. Do not call `push` afterwards. */
  drop(): void {
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
  }

  #reserve(length: number): void {
    if (length <= this.#buffer.byteLength) {
      return;
    }
    const capacity = Math.min(Math.max(length, this.#buffer.byteLength * 2, LEAST_CAPACITY), this.#maxBytes);
    const grown = new Uint8Array(capacity);
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** The content coding of a body. `unknown` stands for any other coding and for combinations of codings. */
export type ContentCoding = "identity" | "gzip" | "br" | "unknown";

const CODINGS: Readonly<Record<string, ContentCoding>> = {
  "": "identity",
  identity: "identity",
  gzip: "gzip",
  "x-gzip": "gzip",
  br: "br",
};

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };

/** Returns the content coding that the response headers state. */
export function contentCodingOf(headers: ResponseHeaders): ContentCoding {
  const value = headers["content-encoding"] ?? "";
  const name = typeof value === "string" ? value.trim().toLowerCase() : "several";
  return Object.hasOwn(CODINGS, name) ? (CODINGS[name] ?? "unknown") : "unknown";
}

/**
 * Decodes a body.
 *
 * @returns undefined if the decoded body is longer than `maxBytes`; decoding stops at that point.
 * @throws Error if the body does not match its coding.
 */
export async function decodeBody(
  body: Uint8Array,
  coding: "gzip" | "br",
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    return await decoders[coding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      return undefined;
    }
    throw error;
  }
}
