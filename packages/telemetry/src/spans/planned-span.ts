import type { Attributes, SpanKind } from "@opentelemetry/api";

/** An event of a span. */
export interface SpanEvent {
  readonly name: string;
  /** In ms since the epoch. */
  readonly at: number;
  readonly attributes?: Attributes;
}

/** A span that is completed before it is written. Times are in ms since the epoch. */
export interface PlannedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  startedAt: number;
  /** Undefined while the span is open. */
  endedAt?: number;
  readonly attributes: Attributes;
  readonly events: SpanEvent[];
  readonly children: PlannedSpan[];
  /** The id of the span; present if a handler received it before the span was written. */
  readonly spanId?: string;
  /** Whether the span ended with an error. */
  isFailed?: boolean;
}

export function beginSpan(
  span: Pick<PlannedSpan, "name" | "kind" | "startedAt" | "attributes"> & { readonly spanId?: string },
): PlannedSpan {
  return { ...span, events: [], children: [] };
}

/** Marks a span as failed with this error type. */
export function failSpan(span: PlannedSpan, errorType: string): void {
  span.attributes["error.type"] = errorType;
  span.isFailed = true;
}
