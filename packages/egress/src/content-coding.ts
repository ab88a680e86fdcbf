import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import type { ResponseHeaders } from "./exchange.ts";

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
