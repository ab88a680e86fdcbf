import { randomBytes } from "node:crypto";

/** The ids of one span that are known before it is written; absent ones are random. */
interface KnownIds {
  readonly spanId?: string;
  readonly traceId?: string;
}

let known: KnownIds | undefined;

/**
 * An id generator for OpenTelemetry SDKs. It generates random ids, except for spans whose id a handler receives before
 * they are written: each call contains the span id of its attempt, and the span itself is written when the execution
 * has ended. With any other generator, the spans of a handler are in the right trace but have no parent.
 */
export const spanIdGenerator = {
  /** Returns a trace id of 32 lower-case hex digits. */
  generateTraceId: (): string => known?.traceId ?? randomBytes(16).toString("hex"),
  /** Returns a span id of 16 lower-case hex digits. */
  generateSpanId: (): string => known?.spanId ?? randomBytes(8).toString("hex"),
};

/** Starts a span with these ids, using {@link spanIdGenerator}. */
export function withKnownIds<Started>(ids: KnownIds, start: () => Started): Started {
  known = ids;
  try {
    return start();
  } finally {
    known = undefined;
  }
}
