import { appendTo } from "@yagate/store/events/event-store";
import type { Append, EventEntry, Store } from "@yagate/store/port";
import { appendOf, entryOf, executionOf } from "../../store/test/support/fixtures.ts";

const error = { code: "TIMEOUT", message: "x", hint: "x", retryable: true, source: "gateway" };

/**
 * Stores an execution of two model turns and one failed call, in the three commits that the gateway makes.
 * @param at - the time of all of its events.
 */
export async function storeExecution({ eventStore }: Store, at: Date): Promise<void> {
  const { id } = (await eventStore.create(executionOf("ws_a", { createdAt: at.getTime() }))).execution;
  const call = { toolCallId: `tc_${id}` };
  const attempt = { ...call, attemptId: `att_${id}` };
  const commits: readonly (readonly Parameters<typeof entryOf>[2][])[] = [
    [
      { type: "execution.started" },
      { type: "tool_call.requested", ...call, name: "lookup_order", kind: "handler", text: "x".repeat(400) },
      { type: "attempt.started", ...attempt, text: "x".repeat(400) },
    ],
    [
      { type: "attempt.finished", ...attempt, durationMs: 12 },
      { type: "tool_call.failed", ...call, error },
    ],
    [{ type: "execution.completed" }],
  ];
  let seq = 0;
  for (const [index, fields] of commits.entries()) {
    const entries: EventEntry[] = fields.map((field, offset) =>
      entryOf(id, seq + offset + 1, { ...field, at: at.toISOString() }),
    );
    const append: Append = appendOf(id, seq, { status: index === 2 ? "completed" : "running" });
    await appendTo(eventStore, { ...append, entries });
    seq += entries.length;
  }
}
