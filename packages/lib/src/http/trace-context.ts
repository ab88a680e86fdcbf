import { hash } from "node:crypto";

/** A trace context in the form of W3C headers; `traceparent` has version 00. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** The fields of a `traceparent` header. */
export interface TraceParent {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  readonly flags: number;
  /** Whether the sender of the header records this trace. */
  readonly isSampled: boolean;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;
/** The sampled bit, and the bit for a random trace id. The other bits are reserved for later versions. */
const KNOWN_FLAGS = 3;
const MAX_TRACESTATE = 512;

/** Parses a `traceparent` of any version; undefined if it is invalid. */
export function parseTraceparent(text: string): TraceParent | undefined {
  const [, version = "", traceId = "", spanId = "", flagDigits = "", rest] = TRACEPARENT.exec(text.trim()) ?? [];
  if (version === "" || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const flags = Number.parseInt(flagDigits, 16) & KNOWN_FLAGS;
  return { traceId, spanId, flags, isSampled: (flags & SAMPLED) !== 0 };
}

/** Formats a `traceparent` of version 00. */
export function formatTraceparent({ traceId, spanId, flags }: Omit<TraceParent, "isSampled">): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
}

/**
 * Reads the trace that a request belongs to. Returns undefined if the headers are missing or invalid; the standard
 * treats both cases alike.
 */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const { traceparent, tracestate: states = [] } = headers;
  const parent = typeof traceparent === "string" ? parseTraceparent(traceparent) : undefined;
  if (parent === undefined) return undefined;
  const tracestate = [states].flat().join(",").trim();
  const isReadable = /^[\x20-\x7e]+$/.test(tracestate) && tracestate.length <= MAX_TRACESTATE;
  return { traceparent: formatTraceparent(parent), ...(isReadable ? { tracestate } : {}) };
}

/** Returns the trace id for an execution that was started without a trace, derived from the execution's id. */
export function executionTraceId(executionId: string): string {
  return hash("sha256", executionId).slice(0, 32);
}

/**
 * Returns the id of an attempt's span. It is calculated before the attempt is sent, and again when the spans of the
 * execution are exported.
 */
export function attemptSpanId(toolCallId: string, number: number): string {
  return hash("sha256", `${toolCallId}.${number}`).slice(0, 16);
}
