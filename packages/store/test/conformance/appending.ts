import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { AppendOutcome, EventEntry, Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf, LEASE_MS, NOW, summaryOf } from "../support/fixtures.ts";

/** Reads the event log and checks that it has no gap. */
async function seqsOf(store: Store, executionId: string): Promise<readonly number[]> {
  const seqs = (await store.eventStore.entries(executionId, 0)).map(({ event }) => event.seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  return seqs;
}

export function describeAppending(store: () => Store): void {
  const start = async (workspaceId = "ws_a") => (await store().eventStore.create(executionOf(workspaceId))).execution;

  describe("appending", () => {
    it("keeps entries in order, each as it was given", async () => {
      const { id } = await start();
      const message = { role: "assistant", parts: [{ type: "text", text: "hm", providerMetadata: { a: { b: "c" } } }] };
      const entries = [
        entryOf(id, 1, { type: "execution.started", input: 'hello \u2028 \u0000 \ud800 \\ " {} 1e400' }),
        { ...entryOf(id, 2, { type: "model.responded", turn: 1, text: "hm" }), assistantMessage: message },
        entryOf(id, 3, { type: "execution.cancel_requested" }),
      ];
      expect(await appendTo(store().eventStore, appendOf(id, 0, { epoch: 1, entries }))).toBe("appended");
      expect(await store().eventStore.entries(id, 0)).toEqual(entries);
      expect(await store().eventStore.entries(id, 1)).toEqual(entries.slice(1));
      expect(await store().eventStore.entries(id, 3)).toEqual([]);
    });

    it("shows the summary and the last seq with the execution", async () => {
      const { id } = await start();
      await appendTo(store().eventStore, appendOf(id, 0, { count: 2, status: "completed" }));
      expect(await store().eventStore.find(id, "ws_a")).toMatchObject({ lastSeq: 2, ...summaryOf("completed") });
    });

    it.each<[string, (readonly [expectedSeq: number, epoch?: number])[], AppendOutcome[], number]>([
      ["lets one of two commands through", [[0], [0]], ["appended", "behind"], 1],
      ["tells an owner that a command was appended first", [[0], [0, 1]], ["appended", "behind"], 1],
      ["tells a command that the owner appended first", [[0, 1], [0]], ["appended", "behind"], 1],
      ["takes appends that follow each other", [[0, 1], [1], [2, 1]], ["appended", "appended", "appended"], 3],
      [
        "stops an owner of an earlier epoch",
        [
          [0, 1],
          [1, 0],
        ],
        ["appended", "taken_over"],
        1,
      ],
      [
        "stops an owner of another epoch that is behind too",
        [
          [0, 1],
          [0, 2],
        ],
        ["appended", "taken_over"],
        1,
      ],
      ["refuses to leave a gap", [[1], [7, 1]], ["behind", "behind"], 0],
    ])("%s", async (_name, appends, outcomes, lastSeq) => {
      const { id } = await start();
      const pending = appends.map(([expectedSeq, epoch]) =>
        appendTo(store().eventStore, appendOf(id, expectedSeq, epoch === undefined ? {} : { epoch })),
      );
      expect(await Promise.all(pending)).toEqual(outcomes);
      expect(await seqsOf(store(), id)).toHaveLength(lastSeq);
      expect(await store().eventStore.find(id, "ws_a")).toMatchObject({ lastSeq });
    });

    it("stops the owner once another has taken over, and lets the new one go on", async () => {
      const { id } = await start();
      await store().eventStore.claim({
        owner: "owner-2",
        now: NOW + LEASE_MS + 1,
        leaseUntil: NOW + 2 * LEASE_MS,
        limit: 1,
        except: new Set(),
      });
      expect(await appendTo(store().eventStore, appendOf(id, 0, { epoch: 1 }))).toBe("taken_over");
      expect(await appendTo(store().eventStore, appendOf(id, 0, { epoch: 2 }))).toBe("appended");
    });

    it("lets many writers through one by one, without a gap or a lost entry", async () => {
      const { id } = await start();
      let appended = 0;
      const writer = async (entriesEach: number) => {
        for (let round = 0; round < 10; round += 1) {
          let outcome: AppendOutcome = "behind";
          while (outcome === "behind") {
            const row = await store().eventStore.find(id, "ws_a");
            outcome = await appendTo(store().eventStore, appendOf(id, row?.lastSeq ?? 0, { count: entriesEach }));
          }
          appended += entriesEach;
        }
      };
      await Promise.all([1, 2, 3, 1, 2].map(writer));
      expect(await seqsOf(store(), id)).toHaveLength(appended);
    });

    it("refuses an execution that is not there", async () => {
      await expect(appendTo(store().eventStore, appendOf("exec_none", 0))).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it.each<[string, (id: string) => EventEntry]>([
      ["numbered with a gap", (id) => entryOf(id, 2, { type: "execution.cancel_requested" })],
      ["of another execution", () => entryOf("exec_other", 1, { type: "execution.cancel_requested" })],
    ])("refuses entries %s", async (_name, makeEntry) => {
      const { id } = await start();
      const append = appendOf(id, 0, { entries: [makeEntry(id)] });
      await expect(appendTo(store().eventStore, append)).rejects.toMatchObject({ code: "INTERNAL" });
      expect(await seqsOf(store(), id)).toEqual([]);
    });

    it("writes nothing at all of an append that it refuses", async () => {
      const { id } = await start();
      const entries = [
        entryOf(id, 8, { type: "tool_call.requested", toolCallId: "tc_1" }),
        entryOf(id, 9, { type: "attempt.started", toolCallId: "tc_1", attemptId: "att_1" }),
      ];
      const exchanges = [{ attemptId: "att_1", request: null, response: null }];
      expect(await appendTo(store().eventStore, appendOf(id, 7, { entries, exchanges, status: "completed" }))).toBe(
        "behind",
      );
      expect(await store().eventStore.findToolCall("tc_1", "ws_a")).toBeUndefined();
      expect(await store().eventStore.findAttempt("att_1", "ws_a")).toBeUndefined();
      expect(await store().eventStore.find(id, "ws_a")).toMatchObject({ status: "queued", lastSeq: 0 });
    });
  });
}
