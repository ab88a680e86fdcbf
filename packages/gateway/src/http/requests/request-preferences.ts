import type { IncomingHttpHeaders } from "node:http";
import type { FieldError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";

/** Maximum time in seconds for which a response is held back. */
const MAX_WAIT_SECONDS = 60;

/** The preferences in the headers of a request that executes an agent. */
interface ExecutionPreferences {
  /** 1 to 255 visible ASCII characters. */
  readonly idempotencyKey: string | undefined;
  readonly isStream: boolean;
  /** Number of the last event that the client received; 0 if it received none. */
  readonly lastEventId: number;
  /** Maximum time in seconds for which the response is held back; undefined if it is sent immediately. */
  readonly waitSeconds: number | undefined;
}

/**
 * Reads the preferences from the headers.
 * @throws InvalidRequestError that lists every invalid header.
 */
export function executionPreferences(headers: IncomingHttpHeaders): ExecutionPreferences {
  const errors: FieldError[] = [];
  const preferences = {
    idempotencyKey: idempotencyKey(headers, errors),
    isStream: namesType(headers.accept, "text/event-stream"),
    lastEventId: eventId(headers, errors),
    waitSeconds: waitSeconds(headers),
  };
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return preferences;
}

/**
 * Returns the number of the last event that the client received; 0 if it received none.
 *
 * @throws InvalidRequestError.
 */
export function lastEventId(headers: IncomingHttpHeaders): number {
  const errors: FieldError[] = [];
  const id = eventId(headers, errors);
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return id;
}

// RFC 7240 allows a server to ignore a preference that it cannot parse. `Preference-Applied` lists the preferences that
// were applied.
function waitSeconds({ prefer }: IncomingHttpHeaders): number | undefined {
  if (prefer === undefined) return undefined;
  for (const preference of [prefer].flat().join(",").split(",")) {
    const seconds = /^\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?:;.*)?$/i.exec(preference);
    if (seconds !== null) return Math.min(Number(seconds[1] ?? seconds[2]), MAX_WAIT_SECONDS);
  }
  return undefined;
}

function idempotencyKey(headers: IncomingHttpHeaders, errors: FieldError[]): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = "expected 1 to 255 visible ASCII characters";
  errors.push({ path: "Idempotency-Key", code: "INVALID_HEADER", message });
  return undefined;
}

function eventId(headers: IncomingHttpHeaders, errors: FieldError[]): number {
  const id = headers["last-event-id"];
  if (id === undefined || id === "") return 0;
  if (typeof id === "string" && /^\d{1,15}$/.test(id)) return Number(id);
  errors.push({ path: "Last-Event-ID", code: "INVALID_HEADER", message: "expected the number of an event" });
  return 0;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangesOf(accept = ""): readonly Range[] {
  return accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
}

/** Returns the quality of a media type, as set by the most specific matching range (RFC 9110 §12.5.1). */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const wildcard = `${type.split("/", 1)[0]}/*`;
  for (const candidate of [type, wildcard, "*/*"]) {
    const range = ranges.find((one) => one.type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** Checks whether an `Accept` header lists a media type, whatever its quality. */
export function namesType(accept: string | undefined, type: string): boolean {
  return rangesOf(accept).some((range) => range.type === type);
}

/** Checks whether an `Accept` header prefers plain text to JSON. JSON is the default. */
export function prefersText(accept: string | undefined): boolean {
  const ranges = rangesOf(accept);
  return qualityOf("text/plain", ranges) > qualityOf("application/json", ranges);
}
