import type { IncomingMessage } from "node:http";
import { YagateError } from "@yagate/protocol";
import sjson from "secure-json-parse";
import { ForbiddenNamesError, InvalidRequestError } from "../../errors/request-errors.ts";
import { findForbiddenNames, findValueErrors } from "./json-value-errors.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Maximum bytes of an oversized body to read and drop. A client that is cut off while it is still sending never reads
 * the reason.
 */
const MAX_DISCARDED_BYTES = 16 * 1_048_576;

/**
 * Counts the bytes of a body before they are buffered.
 * @throws the error with which the request is rejected.
 */
export interface ByteMeter {
  takeBytes(bytes: number): void;
}

/** Thrown when the connection ended before the body was complete, so that no response can be sent. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";

  constructor(cause?: Error) {
    super("the connection ended before the body was complete", { cause });
  }
}

/**
 * Reads the JSON body of a request; undefined if there is none. Errors from `meter` are passed on.
 *
 * @throws YagateError `BODY_TOO_LARGE`, `MALFORMED_JSON`, or `INVALID_REQUEST` for another content type, an encoded
 *   body, or a value that could not be stored unchanged.
 * @throws ClientGoneError if the connection ends first.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number, meter?: ByteMeter): Promise<unknown> {
  const body = await readBytes(request, maxBytes, meter);
  if (body.length === 0) return undefined;
  assertJson(request);
  assertNotEncoded(request);
  const value = parse(decode(body));
  const errors = findValueErrors(value);
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return value;
}

function assertJson({ headers }: IncomingMessage): void {
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json" && type?.endsWith("+json") !== true) {
    throw new InvalidRequestError([
      { path: "Content-Type", code: "INVALID_HEADER", message: "expected application/json" },
    ]);
  }
}

/**
 * Rejects compressed bodies.
 * @throws InvalidRequestError.
 */
export function assertNotEncoded({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "identity") {
    const message = "expected an uncompressed body";
    throw new InvalidRequestError([{ path: "Content-Encoding", code: "INVALID_HEADER", message }]);
  }
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch (error) {
    throw new YagateError("MALFORMED_JSON", "expected a body in UTF-8", { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return sjson.parse(text, { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    // The engine's message quotes the body, which may contain a secret, so the response contains only the position.
    const message = error instanceof Error ? error.message : "";
    if (message.includes("forbidden prototype property")) {
      throw new ForbiddenNamesError(findForbiddenNames(JSON.parse(text)));
    }
    const position = /position (\d+)/.exec(message)?.[1];
    const place = position === undefined ? "" : `; the error is at character ${Number(position) + 1}`;
    throw new YagateError("MALFORMED_JSON", `expected a valid JSON body${place}`);
  }
}

/**
 * Reads the raw body. Errors from `meter` are passed on.
 * @throws YagateError `BODY_TOO_LARGE`.
 * @throws ClientGoneError if the connection ends first.
 */
export function readBytes(request: IncomingMessage, maxBytes: number, meter?: ByteMeter): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const announced = Number(request.headers["content-length"] ?? 0);
  let size = 0;
  let metered = 0;
  let isRefused = false;
  const tooLarge = () => new YagateError("BODY_TOO_LARGE", `expected a body of at most ${maxBytes} bytes`);

  /** Counts the part of these bytes that will be buffered. */
  function meterUpTo(bytes: number): void {
    const more = Math.min(bytes, maxBytes) - metered;
    if (meter === undefined || isRefused || more <= 0) return;
    try {
      meter.takeBytes(more);
      metered += more;
    } catch (error) {
      isRefused = true;
      chunks.length = 0;
      reject(error);
    }
  }

  if (announced > maxBytes + MAX_DISCARDED_BYTES) reject(tooLarge());
  // Counted in advance, so that many slow requests with large announced bodies cannot exceed the quota together.
  else meterUpTo(announced);
  // Async iteration is not used here: leaving the loop early would destroy the connection, and with it the response.
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    meterUpTo(size);
    if (size <= maxBytes && !isRefused) chunks.push(chunk);
    else chunks.length = 0;
    if (size > maxBytes + MAX_DISCARDED_BYTES) reject(tooLarge());
  });
  request.once("end", () => {
    if (size > maxBytes) reject(tooLarge());
    else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
  });
  request.once("error", (cause) => reject(new ClientGoneError(cause)));
  request.once("close", () => {
    if (!request.readableEnded) reject(new ClientGoneError());
  });
  return promise;
}
