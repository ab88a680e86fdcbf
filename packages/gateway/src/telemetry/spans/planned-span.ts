import type { Attributes, SpanKind } from "@opentelemetry/api";

/** Something that happened within a span. */
export interface SpanEvent {
  readonly name: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly attributes?: Attributes;
}

/** A span that is known in full before it is written. Times are ms since the epoch. */
export interface PlannedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  startedAt: number;
  /** Undefined: it goes on. */
  endedAt?: number;
  readonly attributes: Attributes;
  readonly events: SpanEvent[];
  readonly children: PlannedSpan[];
  /** Where it was told to somebody before it is written. */
  readonly spanId?: string;
  /** It ended in an error. */
  isFailed?: boolean;
}

/** A span that begins now. */
export function beginSpan(
  span: Pick<PlannedSpan, "name" | "kind" | "startedAt" | "attributes"> & { readonly spanId?: string },
): PlannedSpan {
  return { ...span, events: [], children: [] };
}

/** Ends a span in an error of this type. */
export function failSpan(span: PlannedSpan, errorType: string): void {
  span.attributes["error.type"] = errorType;
  span.isFailed = true;
}
