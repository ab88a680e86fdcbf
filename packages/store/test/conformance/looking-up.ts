import { type CallIdKind, newCallId } from "@yagate/lib/ids/call-ids";
import { newId } from "@yagate/lib/ids/ids";
import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { appendOf, entryOf, executionOf, NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const RETENTION_MS = 604_800_000;
const message = (body: string) => ({
  headers: { "content-type": "application/json" },
  body,
  bodyBytes: body.length,
  isTruncated: false,
});

export function describeLookingUp(store: () => Store): void {
  const start = async (workspaceId = "ws_a") =>
    (await store().eventStore.create(executionOf(workspaceId))).execution.id;

  type IdOf = (kind: CallIdKind, executionId: string, index: number) => string;
  /** As earlier versions made them: they do not contain their execution. */
  const earlierId: IdOf = (kind, _executionId, index) => `${kind === "toolCall" ? "tc" : "att"}_${index}`;

  /** An execution with attempts, each with its messages in an append of its own. */
  async function startWithAttempts(count: number, idOf: IdOf = earlierId): Promise<string> {
    const id = await start();
    for (let index = 0; index < count; index += 1) {
      const [toolCallId, attemptId] = [idOf("toolCall", id, index), idOf("attempt", id, index)];
      const entries = [
        entryOf(id, 2 * index + 1, { type: "tool_call.requested", toolCallId }),
        entryOf(id, 2 * index + 2, { type: "attempt.started", toolCallId, attemptId }),
      ];
      const response = index === 0 ? null : message("{}");
      const exchanges = [{ attemptId, request: message(`{"n":${index}}`), response }];
      await appendTo(store().eventStore, appendOf(id, 2 * index, { entries, exchanges }));
    }
    return id;
  }

  /** The same ids for the same call of an execution. */
  function createIds(): IdOf {
    const ids = new Map<string, string>();
    return (kind, executionId, index) => {
      const name = `${kind} ${executionId} ${index}`;
      const id = ids.get(name) ?? newCallId(kind, executionId, index);
      ids.set(name, id);
      return id;
    };
  }

  describe("looking up", () => {
    it("finds the execution of a tool call", async () => {
      const executionId = await startWithAttempts(1);
      expect(await store().eventStore.findToolCall("tc_0", "ws_a")).toEqual({ executionId });
    });

    it("finds an attempt with what was sent and what came back", async () => {
      const executionId = await startWithAttempts(2);
      expect(await store().eventStore.findAttempt("att_0", "ws_a")).toEqual({
        executionId,
        request: message('{"n":0}'),
        response: null,
      });
      expect(await store().eventStore.findAttempt("att_1", "ws_a")).toMatchObject({ response: message("{}") });
    });

    it("finds an attempt whose messages are not there yet", async () => {
      const id = await start();
      const started = { type: "attempt.started", toolCallId: "tc_0", attemptId: "att_0" } as const;
      await appendTo(store().eventStore, appendOf(id, 0, { entries: [entryOf(id, 1, started)] }));
      expect(await store().eventStore.findAttempt("att_0", "ws_a")).toMatchObject({ request: null, response: null });
    });

    it("finds an execution of any workspace for the gateway itself", async () => {
      const id = await start("ws_b");
      expect(await store().eventStore.findAny(id)).toEqual(await store().eventStore.find(id, "ws_b"));
      expect(await store().eventStore.findAny("exec_unknown")).toBeUndefined();
    });

    it("shows another workspace nothing", async () => {
      const id = await startWithAttempts(1);
      expect(await store().eventStore.find(id, "ws_b")).toBeUndefined();
      expect(await store().eventStore.findToolCall("tc_0", "ws_b")).toBeUndefined();
      expect(await store().eventStore.findAttempt("att_0", "ws_b")).toBeUndefined();
      expect(await store().eventStore.list("ws_b", { limit: 10 })).toEqual({ data: [], nextCursor: null });
    });

    it("lists executions newest first, page by page", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        ids.push(await start());
        await start("ws_b");
      }
      await expectPages((page) => store().eventStore.list("ws_a", page), 3, ids.reverse());
    });

    it("goes on where a page ended, although new ones were made since", async () => {
      const ids = [await start(), await start(), await start()];
      const { nextCursor } = await store().eventStore.list("ws_a", { limit: 1 });
      await start();
      const { data } = await store().eventStore.list("ws_a", { limit: 5, cursor: nextCursor ?? "" });
      expect(data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    });

    it.each([["not base64 of JSON"], [""], [Buffer.from("7").toString("base64url")]])(
      "refuses the cursor %j",
      async (cursor) => {
        const listing = store().eventStore.list("ws_a", { limit: 5, cursor });
        await expect(listing).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      },
    );

    it("deletes the messages of attempts for their age, at most so many at once", async () => {
      await startWithAttempts(3);
      expect(await store().eventStore.deleteExpired(NOW + RETENTION_MS, 100)).toBe(0);
      expect(await store().eventStore.deleteExpired(NOW + RETENTION_MS + 1, 2)).toBe(2);
      expect(await store().eventStore.deleteExpired(NOW + RETENTION_MS + 1, 2)).toBe(1);
      expect(await store().eventStore.findAttempt("att_1", "ws_a")).toMatchObject({ request: null, response: null });
    });

    it("finds the execution in the ids of its calls and attempts, and no other workspace's", async () => {
      const idOf = createIds();
      const executionId = await startWithAttempts(2, idOf);
      const other = await startWithAttempts(2, idOf);
      const { eventStore } = store();
      const attemptId = idOf("attempt", executionId, 1);
      expect(await eventStore.findToolCall(idOf("toolCall", executionId, 0), "ws_a")).toEqual({ executionId });
      expect(await eventStore.findAttempt(attemptId, "ws_a")).toEqual({
        executionId,
        request: message('{"n":1}'),
        response: message("{}"),
      });
      expect(await eventStore.findAttempt(idOf("attempt", other, 0), "ws_a")).toMatchObject({ executionId: other });
      // An attempt that never was has no messages; that it never was, the events say.
      expect(await eventStore.findAttempt(newCallId("attempt", executionId, 1), "ws_a")).toEqual({
        executionId,
        request: null,
        response: null,
      });
      const inNoExecution = newCallId("attempt", newId("execution"), 1);
      for (const id of [inNoExecution, attemptId.slice(0, -1), `${attemptId}0`, attemptId.toUpperCase()]) {
        expect(await eventStore.findAttempt(id, "ws_a")).toBeUndefined();
      }
      expect(await eventStore.findAttempt(attemptId, "ws_b")).toBeUndefined();
      expect(await eventStore.findToolCall(idOf("toolCall", executionId, 0), "ws_b")).toBeUndefined();
    });

    it.each([
      ["of an earlier version", () => earlierId],
      ["that contains its execution", createIds],
    ])(
      "keeps with the messages of an attempt with an id %s what came after the end: the first of it, as long as they are kept",
      async (_name, create) => {
        const { eventStore } = store();
        const late = { at: new Date(NOW).toISOString(), httpStatus: 200, elapsedMs: 1_200.5, responseBytes: 21 };
        const idOf = create();
        const executionId = await startWithAttempts(2, idOf);
        const [first, second, none] = [0, 1, 9].map((index) => idOf("attempt", executionId, index));
        if (first === undefined || second === undefined || none === undefined) throw new Error("expected three ids");
        await eventStore.addLateResponse(first, late);
        await eventStore.addLateResponse(first, { ...late, httpStatus: 500 });
        await eventStore.addLateResponse(none, late);
        expect(await eventStore.lateResponses([first, second, none])).toEqual(new Map([[first, late]]));
        expect(await eventStore.findAttempt(first, "ws_a")).toMatchObject({ executionId, request: message('{"n":0}') });
        await eventStore.deleteExpired(NOW + RETENTION_MS + 1, 100);
        expect(await eventStore.lateResponses([first])).toEqual(new Map());
        await eventStore.addLateResponse(second, late);
        expect(await eventStore.lateResponses([second])).toEqual(new Map());
      },
    );

    it("deletes idempotency keys that have expired", async () => {
      const idempotency = { scope: "s", key: "k", bodyHash: "aa", expiresAt: NOW + 1_000 };
      await store().eventStore.create(executionOf("ws_a", { idempotency }));
      expect(await store().eventStore.deleteExpired(NOW + 999, 100)).toBe(0);
      expect(await store().eventStore.deleteExpired(NOW + 1_000, 100)).toBe(1);
    });
  });
}
