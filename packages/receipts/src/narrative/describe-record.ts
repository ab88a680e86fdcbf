import type { Yielder } from "@yagate/lib/async/event-loop";
import { executionEventSchema, isBlocked, type ReceiptCall, type ReceiptLine, timestampSchema } from "@yagate/protocol";
import type { ReadEntry } from "../check-record.ts";
import { describeEvent } from "./describe-event.ts";
import { describeOther } from "./describe-other.ts";
import type { NarrativeContext } from "./event-of.ts";
import { ToolCallSummaries } from "./tool-call-summaries.ts";

/** A record in sentences, and the outcome of each of its tool calls. */
export interface Narrative {
  readonly lines: readonly ReceiptLine[];
  readonly calls: readonly ReceiptCall[];
  /** The models that were called, each once. */
  readonly models: readonly string[];
}

const NO_TIME = new Date(0).toISOString();

/** Describes a record. An entry that this version can't interpret gets a sentence with its type. */
export async function describeRecord(
  entries: readonly ReadEntry[],
  keyId: string | null,
  yieldNow: Yielder,
): Promise<Narrative> {
  const summaries = new ToolCallSummaries();
  const models = new Set<string>();
  const blocked = blockedAttempts(entries);
  const context = {
    keyId,
    isBlocked: (attemptId: string) => blocked.has(attemptId),
    nameOf: (toolCallId: string) => summaries.nameOf(toolCallId),
  };
  const lines: ReceiptLine[] = [];
  for (const { event: stored } of entries) {
    await yieldNow();
    const seq = lines.length + 1;
    const parsed = executionEventSchema.safeParse(stored);
    if (!parsed.success) {
      lines.push({ seq, at: timeOf(stored["at"]), text: unreadText(stored, context) });
      continue;
    }
    const event = parsed.data;
    summaries.add(event);
    if (event.type === "model.requested") models.add(event.model);
    lines.push({ seq, at: event.at, text: describeEvent(event, context) });
  }
  return { lines, calls: summaries.calls, models: [...models] };
}

function timeOf(at: unknown): string {
  return timestampSchema.safeParse(at).data ?? NO_TIME;
}

/** Describes an entry that a newer gateway wrote or that was changed. */
function unreadText(stored: ReadEntry["event"], context: NarrativeContext): string {
  return `${describeOther(stored, context)} This version of the gateway can't interpret all of it.`;
}

/**
 * Returns the ids of the attempts that the gateway blocked. Only later entries of the record show that an attempt was
 * blocked.
 */
function blockedAttempts(entries: readonly ReadEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ event }) => (mayBeBlocked(event) ? blockedAttempt(event) : [])));
}

function mayBeBlocked({ type, errorCode }: ReadEntry["event"]): boolean {
  return type === "attempt.finished" && errorCode !== undefined;
}

function blockedAttempt(stored: ReadEntry["event"]): readonly string[] {
  const event = executionEventSchema.safeParse(stored).data;
  if (event?.type !== "attempt.finished") return [];
  const { attemptId, errorCode: code, outcome, httpStatus } = event;
  // A handler may use one of the gateway's codes for its own errors, but then the attempt has an HTTP status.
  if (code === undefined || outcome === undefined || httpStatus !== undefined) return [];
  return isBlocked({ code, source: "gateway", outcome }) ? [attemptId] : [];
}
