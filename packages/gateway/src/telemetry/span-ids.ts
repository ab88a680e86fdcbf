import { randomBytes } from "node:crypto";

/** The ids of one span that are known before it is written; what is absent is drawn by chance. */
interface KnownIds {
  readonly spanId?: string;
  readonly traceId?: string;
}

let known: KnownIds | undefined;

/**
 * For OpenTelemetry SDKs: random ids as by their own generator, but for spans whose id went out before they were
 * written. Handlers are told the span of the attempt that calls them, and that span is written when its execution has
 * ended; with another generator the spans of a handler are in the right trace, without their parent.
 */
export const spanIdGenerator = {
  /** 32 lower-case hex digits. */
  generateTraceId: (): string => known?.traceId ?? randomBytes(16).toString("hex"),
  /** 16 lower-case hex digits. */
  generateSpanId: (): string => known?.spanId ?? randomBytes(8).toString("hex"),
};

/** Starts a span, which gets these ids from {@link spanIdGenerator}. */
export function withKnownIds<Started>(ids: KnownIds, start: () => Started): Started {
  known = ids;
  try {
    return start();
  } finally {
    known = undefined;
  }
}
