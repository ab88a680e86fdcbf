import type { PageQuery } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { NewInputRequest, Store } from "../../src/port.ts";
import { AT, appendOf, entryOf, executionOf, inputRequestOf } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const ANSWERS = { colour: { action: "accept", content: { colour: "green" } } } as const;

export function describeInputRequests(store: () => Store): void {
  const start = async (workspaceId = "ws_a") =>
    (await store().eventStore.create(executionOf(workspaceId))).execution.id;

  const ask = (request: NewInputRequest, expectedSeq = 0) =>
    appendTo(store().eventStore, appendOf(request.executionId, expectedSeq, { epoch: 1, inputRequests: [request] }));

  const end = (
    { executionId, toolCallId, round }: NewInputRequest,
    seq: number,
    event: { readonly type: "input.received" | "input.withdrawn"; readonly [field: string]: unknown },
  ) =>
    appendTo(
      store().eventStore,
      appendOf(executionId, seq - 1, { entries: [entryOf(executionId, seq, { toolCallId, round, ...event })] }),
    );

  const find = ({ workspaceId, toolCallId }: NewInputRequest) => store().inputRequests.find(workspaceId, toolCallId);

  describe("input requests", () => {
    it("are pending from the append that asks, in their own workspace only", async () => {
      const request = inputRequestOf("ws_a", await start());
      await ask(request);
      expect(await find(request)).toEqual({ ...request, status: "pending", resolution: null });
      expect(await store().inputRequests.find("ws_b", request.toolCallId)).toBeUndefined();
      expect(await store().inputRequests.list("ws_b", { limit: 10 })).toEqual({ data: [], nextCursor: null });
    });

    it("are not there when the append that asks is refused", async () => {
      const request = inputRequestOf("ws_a", await start());
      expect(await ask(request, 5)).toBe("behind");
      expect(await find(request)).toBeUndefined();
    });

    it("have the answers of the event, from the append that holds it", async () => {
      const request = inputRequestOf("ws_a", await start());
      await ask(request);
      const received = { type: "input.received", keyId: null, answers: ANSWERS } as const;
      expect(await end(request, 9, received)).toBe("behind");
      expect(await find(request)).toMatchObject({ status: "pending", resolution: null });
      expect(await end(request, 2, received)).toBe("appended");
      const resolution = { at: AT, keyId: null, answers: ANSWERS };
      expect(await find(request)).toEqual({ ...request, status: "answered", resolution });
    });

    it("are replaced by the next round of the call, and only its own answers count", async () => {
      const request = inputRequestOf("ws_a", await start());
      await ask(request);
      await end(request, 2, { type: "input.received", keyId: "key_1", answers: ANSWERS });
      const next = { ...request, round: 2, requestedAt: request.requestedAt + 5 };
      await ask(next, 2);
      expect(await find(request)).toEqual({ ...next, status: "pending", resolution: null });
      await end(request, 4, { type: "input.withdrawn", status: "expired" });
      expect(await find(request)).toMatchObject({ status: "pending" });
      await end(next, 5, { type: "input.withdrawn", status: "cancelled" });
      expect(await find(request)).toEqual({ ...next, status: "cancelled", resolution: { at: AT } });
    });

    it("have ended from the start when the append that asks says so", async () => {
      const request = inputRequestOf("ws_a", await start());
      const { executionId, toolCallId, round } = request;
      const entries = [entryOf(executionId, 1, { type: "input.withdrawn", toolCallId, round, status: "cancelled" })];
      await appendTo(store().eventStore, appendOf(executionId, 0, { epoch: 1, inputRequests: [request], entries }));
      expect(await find(request)).toEqual({ ...request, status: "cancelled", resolution: { at: AT } });
    });

    it("are listed newest first, of one status or of all, in pages", async () => {
      const executionId = await start();
      const requests = Array.from({ length: 5 }, () => inputRequestOf("ws_a", executionId));
      for (const [index, request] of requests.entries()) await ask(request, index);
      const ids = requests.map(({ toolCallId }) => toolCallId).toSorted();
      const [, second] = requests;
      if (second !== undefined) await end(second, 6, { type: "input.withdrawn", status: "expired" });
      const list = (status?: "pending" | "expired" | "answered") => (page: PageQuery) => {
        const rows = store().inputRequests.list("ws_a", { ...page, status });
        return rows.then(({ data, nextCursor }) => ({
          data: data.map((row) => ({ ...row, id: row.toolCallId })),
          nextCursor,
        }));
      };
      await expectPages(list(), 2, ids.toReversed());
      await expectPages(list("expired"), 1, [second?.toolCallId ?? ""]);
      await expectPages(list("pending"), 3, ids.filter((id) => id !== second?.toolCallId).toReversed());
      expect(await list("answered")({ limit: 2 })).toEqual({ data: [], nextCursor: null });
    });
  });
}
