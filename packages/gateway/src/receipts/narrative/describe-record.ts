import type { Yielder } from "@yagate/lib/async/event-loop";
import { executionEventSchema, type ReceiptCall, type ReceiptLine, timestampSchema } from "@yagate/protocol";
import type { ReadEntry } from "../check-record.ts";
import { blockedAttempts } from "./blocked-attempts.ts";
import { tellEvent } from "./describe-event.ts";
import { tellOther } from "./describe-other.ts";
import type { Teller } from "./event-of.ts";
import { ToolCallSummaries } from "./tool-call-summaries.ts";

/** What a record says: line by line, and call by call. */
export interface Account {
  readonly lines: readonly ReceiptLine[];
  readonly calls: readonly ReceiptCall[];
  /** The models that were asked, each once. */
  readonly models: readonly string[];
}

const NO_TIME = new Date(0).toISOString();

/** Tells a record. What can't be understood, because a newer gateway wrote it or somebody changed it, is named. */
export async function tellRecord(
  entries: readonly ReadEntry[],
  keyId: string | null,
  yieldNow: Yielder,
): Promise<Account> {
  const book = new ToolCallSummaries();
  const models = new Set<string>();
  const blocked = blockedAttempts(entries);
  const teller = {
    keyId,
    isBlocked: (attemptId: string) => blocked.has(attemptId),
    nameOf: (toolCallId: string) => book.nameOf(toolCallId),
  };
  const lines: ReceiptLine[] = [];
  for (const { event: stored } of entries) {
    await yieldNow();
    const seq = lines.length + 1;
    const parsed = executionEventSchema.safeParse(stored);
    if (!parsed.success) {
      lines.push({ seq, at: timeOf(stored["at"]), text: unreadText(stored, teller) });
      continue;
    }
    const event = parsed.data;
    book.add(event);
    if (event.type === "model.requested") models.add(event.model);
    lines.push({ seq, at: event.at, text: tellEvent(event, teller) });
  }
  return { lines, calls: book.calls, models: [...models] };
}

function timeOf(at: unknown): string {
  return timestampSchema.safeParse(at).data ?? NO_TIME;
}

/** A newer gateway wrote it, or somebody changed it. */
function unreadText(stored: ReadEntry["event"], teller: Teller): string {
  return `${tellOther(stored, teller)} Not all of it can be understood.`;
}
