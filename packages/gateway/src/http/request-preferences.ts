import type { IncomingHttpHeaders } from "node:http";
import { InvalidRequestError } from "./problem.ts";

/** Longest time that an answer is held back, in seconds. */
export const MAX_WAIT_SECONDS = 60;

/** Seconds that the client is ready to wait (`Prefer: wait=<s>`), at most 60; undefined: none. */
export function waitSeconds(headers: IncomingHttpHeaders): number | undefined {
  const values = [headers["prefer"] ?? []].flat().join(",");
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?/i.exec(values)?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}

/** Whether the client asked for a stream of events. */
export function wantsEventStream(headers: IncomingHttpHeaders): boolean {
  return (headers.accept ?? "").split(",").some((part) => part.split(";", 1)[0]?.trim() === "text/event-stream");
}

/** The client's idempotency key: 1 to 255 visible ASCII characters. */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new InvalidRequestError([
    { path: "Idempotency-Key", code: "invalid_header", message: "expected 1 to 255 visible ASCII characters" },
  ]);
}

/** The last event that the client has seen; 0: none. */
export function lastEventId(headers: IncomingHttpHeaders): number {
  const id = headers["last-event-id"];
  if (id === undefined || id === "") return 0;
  if (typeof id === "string" && /^\d{1,15}$/.test(id)) return Number(id);
  throw new InvalidRequestError([
    { path: "Last-Event-ID", code: "invalid_header", message: "expected the number of an event" },
  ]);
}
