import type { IncomingMessage } from "node:http";
import { YagateError } from "@yagate/protocol";
import sjson from "secure-json-parse";
import { ForbiddenNamesError, InvalidRequestError } from "../../errors/request-errors.ts";
import { findForbiddenNames, findValueErrors } from "./json-value-errors.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** What of an oversized body is still read: a client that is cut off while it sends never sees why. */
const MAX_DISCARDED_BYTES = 16 * 1_048_576;

/** Counts bytes that are about to be kept. @throws what the request is then refused with. */
export interface ByteMeter {
  takeBytes(bytes: number): void;
}

/** The connection ended before the body did: there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";

  constructor(cause?: Error) {
    super("the connection ended before the body did", { cause });
  }
}

/**
 * The JSON body of a request; undefined when it has none.
 *
 * @throws YagateError `BODY_TOO_LARGE`, `MALFORMED_JSON`, `INVALID_REQUEST` for another content type, an encoding, or a
 * value that could not be kept as it is; what `meter` throws.
 * @throws ClientGoneError.
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

/** The bytes must be those that were sent. @throws YagateError `INVALID_REQUEST`. */
export function assertNotEncoded({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== "identity") {
    const message = "expected a body that is not compressed";
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
    // The engine's message quotes the body, which may hold a secret; only the position is taken from it.
    const message = error instanceof Error ? error.message : "";
    if (message.includes("forbidden prototype property")) {
      throw new ForbiddenNamesError(findForbiddenNames(JSON.parse(text)));
    }
    const position = /position (\d+)/.exec(message)?.[1];
    const place = position === undefined ? "" : `; it breaks at character ${Number(position) + 1}`;
    throw new YagateError("MALFORMED_JSON", `expected a body of valid JSON${place}`);
  }
}

/** The body as it came. @throws YagateError `BODY_TOO_LARGE`, what `meter` throws. @throws ClientGoneError. */
export function readBytes(request: IncomingMessage, maxBytes: number, meter?: ByteMeter): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const announced = Number(request.headers["content-length"] ?? 0);
  let size = 0;
  let metered = 0;
  let isRefused = false;
  const tooLarge = () => new YagateError("BODY_TOO_LARGE", `expected a body of at most ${maxBytes} bytes`);

  /** Counts as much as is going to be kept of this many bytes. */
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
  // At once: many who announce much and send it slowly must not pass the quota together.
  else meterUpTo(announced);
  // Not by iteration: leaving that early would destroy the connection, and the answer with it.
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
