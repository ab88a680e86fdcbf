import { describe, expect, it } from "vitest";
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

  async function startWithAttempts(count: number): Promise<string> {
    const id = await start();
    const entries = Array.from({ length: count }, (_, index) => [
      entryOf(id, 2 * index + 1, { type: "tool_call.requested", toolCallId: `tc_${index}` }),
      entryOf(id, 2 * index + 2, { type: "attempt.started", toolCallId: `tc_${index}`, attemptId: `att_${index}` }),
    ]).flat();
    const exchanges = Array.from({ length: count }, (_, index) => ({
      attemptId: `att_${index}`,
      request: message(`{"n":${index}}`),
      response: index === 0 ? null : message("{}"),
    }));
    await store().eventStore.append(appendOf(id, 0, { entries, exchanges }));
    return id;
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
        toolCallId: "tc_0",
        request: message('{"n":0}'),
        response: null,
      });
      expect(await store().eventStore.findAttempt("att_1", "ws_a")).toMatchObject({ response: message("{}") });
    });

    it("finds an attempt whose messages are not there yet", async () => {
      const id = await start();
      const started = { type: "attempt.started", toolCallId: "tc_0", attemptId: "att_0" } as const;
      await store().eventStore.append(appendOf(id, 0, { entries: [entryOf(id, 1, started)] }));
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
      expect(await store().eventStore.findAttempt("att_1", "ws_a")).toMatchObject({
        toolCallId: "tc_1",
        request: null,
        response: null,
      });
    });

    it("keeps with an attempt's messages what came after the end: the first of it, as long as they are kept", async () => {
      const { eventStore } = store();
      const late = { at: new Date(NOW).toISOString(), httpStatus: 200, elapsedMs: 1_200.5, responseBytes: 21 };
      const executionId = await startWithAttempts(2);
      await eventStore.addLateResponse("att_0", late);
      await eventStore.addLateResponse("att_0", { ...late, httpStatus: 500 });
      await eventStore.addLateResponse("att_9", late);
      expect(await eventStore.lateResponses(["att_0", "att_1", "att_9"])).toEqual(new Map([["att_0", late]]));
      expect(await eventStore.findAttempt("att_0", "ws_a")).toMatchObject({ executionId, request: message('{"n":0}') });
      await eventStore.deleteExpired(NOW + RETENTION_MS + 1, 100);
      expect(await eventStore.lateResponses(["att_0"])).toEqual(new Map());
    });

    it("deletes idempotency keys that have expired", async () => {
      const idempotency = { scope: "s", key: "k", bodyHash: "aa", expiresAt: NOW + 1_000 };
      await store().eventStore.create(executionOf("ws_a", { idempotency }));
      expect(await store().eventStore.deleteExpired(NOW + 999, 100)).toBe(0);
      expect(await store().eventStore.deleteExpired(NOW + 1_000, 100)).toBe(1);
    });
  });
}
