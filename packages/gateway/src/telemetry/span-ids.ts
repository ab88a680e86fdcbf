import { randomBytes } from "node:crypto";

/** The ids of one span that are known before it is written; absent ones are random. */
interface KnownIds {
  readonly spanId?: string;
  readonly traceId?: string;
}

let known: KnownIds | undefined;

/**
 * An id generator for OpenTelemetry SDKs. It generates random ids, except for spans whose id a handler received before they
 * were written: each call carries the span id of its attempt, and that span is written when the execution has ended. With
 * another generator, the spans of a handler are in the right trace but have no parent.
 */
export const spanIdGenerator = {
  /** 32 lower-case hex digits. */
  generateTraceId: (): string => known?.traceId ?? randomBytes(16).toString("hex"),
  /** 16 lower-case hex digits. */
  generateSpanId: (): string => known?.spanId ?? randomBytes(8).toString("hex"),
};

/** Starts a span with these ids, through {@link spanIdGenerator}. */
export function withKnownIds<Started>(ids: KnownIds, start: () => Started): Started {
  known = ids;
  try {
    return start();
  } finally {
    known = undefined;
  }
}
