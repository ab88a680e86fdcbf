import type { IncomingHttpHeaders } from "node:http";
import type { FieldError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { namesType } from "./accept.ts";

/** Maximum time in seconds for which a response is held back. */
export const MAX_WAIT_SECONDS = 60;

/** The preferences in the headers of a request that executes an agent. */
export interface ExecutionPreferences {
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
