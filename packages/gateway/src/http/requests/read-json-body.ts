import type { IncomingMessage } from "node:http";
import { isObject } from "@yagate/lib/json/json-object";
import { type FieldError, YagateError } from "@yagate/protocol";
import sjson from "secure-json-parse";
import { ForbiddenNamesError, InvalidRequestError } from "../../errors/request-errors.ts";

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
interface ByteMeter {
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

/**
 * Maximum nesting depth that later code can safely recurse into: JSON.stringify overflows the stack at about 5,000
 * levels.
 */
const MAX_DEPTH = 256;
/** Maximum number of reported errors. The errors of one body usually have a common cause. */
const MAX_ERRORS = 100;

/**
 * Finds values from JSON.parse that JSON.stringify would not reproduce: strings with a lone surrogate, numbers beyond
 * the range of a double (parsed as Infinity, written as null), and nesting deeper than 256 levels.
 */
function findValueErrors(value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, "", 1, errors);
  return errors;
}

function visit(value: unknown, path: string, depth: number, errors: FieldError[]): void {
  if (errors.length >= MAX_ERRORS) return;
  if (typeof value === "string") {
    if (!value.isWellFormed()) errors.push({ path, code: "NOT_UNICODE", message: "expected valid Unicode text" });
    return;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) {
      errors.push({ path, code: "OUT_OF_RANGE", message: "expected a number in the range of a 64-bit float" });
    }
    return;
  }
  if (!isObject(value)) return;
  if (depth > MAX_DEPTH) {
    errors.push({ path: "", code: "TOO_DEEP", message: `expected at most ${MAX_DEPTH} levels of nesting` });
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`, depth + 1, errors);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) {
      errors.push({ path, code: "NOT_UNICODE", message: "expected field names in valid Unicode" });
      continue;
    }
    visit(member, path === "" ? name : `${path}.${name}`, depth + 1, errors);
  }
}

/**
 * Finds the names in a parsed body that could modify an object's prototype: `__proto__`, and `prototype` inside
 * `constructor`.
 */
function findForbiddenNames(value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  visitNames(value, "", 1, errors);
  return errors;
}

function visitNames(value: unknown, path: string, depth: number, errors: FieldError[]): void {
  if (!isObject(value) || depth > MAX_DEPTH) return;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    if (errors.length >= MAX_ERRORS) return;
    const place = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    const isForbidden = name === "__proto__" || (name === "constructor" && hasPrototype(member));
    if (!isList && isForbidden) errors.push({ path: place, code: "FORBIDDEN_KEY", message: "expected another name" });
    else visitNames(member, place, depth + 1, errors);
  }
}

function hasPrototype(member: unknown): boolean {
  return isObject(member) && Object.hasOwn(member, "prototype");
}
