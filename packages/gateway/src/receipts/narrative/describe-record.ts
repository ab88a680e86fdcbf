import type { Yielder } from "@yagate/lib/async/event-loop";
import { executionEventSchema, type ReceiptCall, type ReceiptLine, timestampSchema } from "@yagate/protocol";
import type { ReadEntry } from "../check-record.ts";
import { blockedAttempts } from "./blocked-attempts.ts";
import { describeEvent } from "./describe-event.ts";
import { describeOther } from "./describe-other.ts";
import type { NarrativeContext } from "./event-of.ts";
import { ToolCallSummaries } from "./tool-call-summaries.ts";

/** What a record says: line by line, and call by call. */
export interface Narrative {
  readonly lines: readonly ReceiptLine[];
  readonly calls: readonly ReceiptCall[];
  /** The models that were asked, each once. */
  readonly models: readonly string[];
}

const NO_TIME = new Date(0).toISOString();

/** Tells a record. What can't be understood, because a newer gateway wrote it or somebody changed it, is named. */
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

/** A newer gateway wrote it, or somebody changed it. */
function unreadText(stored: ReadEntry["event"], context: NarrativeContext): string {
  return `${describeOther(stored, context)} Not all of it can be understood.`;
}
