import type { IncomingHttpHeaders } from "node:http";
import type { FieldError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { namesType } from "./accept.ts";

/** Maximum time that a response is held back, in seconds. */
export const MAX_WAIT_SECONDS = 60;

/** Preferences from the headers of a request to execute an agent. */
export interface ExecutionPreferences {
  /** 1 to 255 visible ASCII characters. */
  readonly idempotencyKey: string | undefined;
  readonly isStream: boolean;
  /** The last event that the client received; 0 if none. */
  readonly lastEventId: number;
  /** How long the response may be held back; undefined: not at all. */
  readonly waitSeconds: number | undefined;
}

/** @throws InvalidRequestError that names every invalid header. */
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
 * The last event that the client received; 0 if none.
 *
 * @throws InvalidRequestError.
 */
export function lastEventId(headers: IncomingHttpHeaders): number {
  const errors: FieldError[] = [];
  const id = eventId(headers, errors);
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return id;
}

// RFC 7240 lets a server ignore a preference that it cannot read; `Preference-Applied` reports the applied ones.
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
