import { describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { appendOf, executionOf, NOW } from "../support/fixtures.ts";

const DAY_MS = 86_400_000;

const keyed = (change: { key?: string; scope?: string; bodyHash?: string } = {}) => ({
  scope: "ws_a key_1 executions",
  key: "order-7",
  bodyHash: "aa",
  expiresAt: NOW + DAY_MS,
  ...change,
});

export function describeCreating(store: () => Store): void {
  describe("creating an execution", () => {
    it("makes it queued, at seq 0, claimed at epoch 1", async () => {
      const wanted = executionOf("ws_a");
      const { execution, isNew } = await store().eventStore.create(wanted);
      expect(isNew).toBe(true);
      expect(execution).toMatchObject({ id: wanted.id, status: "queued", lastSeq: 0, epoch: 1, createdAt: NOW });
      expect(await store().eventStore.find(wanted.id, "ws_a")).toEqual(execution);
    });

    it("keeps the request as it was given", async () => {
      const wanted = executionOf("ws_a", {
        startedByKeyId: null,
        request: {
          input: [{ role: "user", content: "\u0000 \ud83d\ude80 'quoted'" }],
          caller: { __proto__x: [1, null] },
        },
      });
      await store().eventStore.create(wanted);
      expect(await store().eventStore.find(wanted.id, "ws_a")).toMatchObject({
        request: wanted.request,
        startedByKeyId: null,
      });
    });

    it.each([
      [
        "with the trace that it came in",
        { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, tracestate: "x=1" },
      ],
      ["with a trace that has no state", { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00` }],
    ])("keeps it %s, apart from the request", async (_what, trace) => {
      const wanted = executionOf("ws_a", { trace });
      const { execution } = await store().eventStore.create(wanted);
      expect(execution.trace).toEqual(trace);
      expect(await store().eventStore.find(wanted.id, "ws_a")).toEqual(execution);
      expect(execution.request).toEqual(wanted.request);
    });

    it("writes the audit entry with a new execution, and not with one that it finds", async () => {
      const auditOf = (id: string, text = "x") => ({
        ...{ id: `aud_${id}`, workspaceId: "ws_audited", at: NOW, action: "execution.replayed" },
        ...{
          resourceType: "execution",
          resourceId: id,
          keyId: "key_1",
          entry: JSON.stringify({ id: `aud_${id}`, text }),
        },
      });
      const make = (change: object) => {
        const execution = executionOf("ws_audited", change);
        return { ...execution, audit: auditOf(execution.id) };
      };
      const idempotency = keyed({ scope: "ws_audited" });
      const large = { request: { input: "long ".repeat(20_000) } };
      const [plain, first, withText] = [make({}), make({ idempotency }), make(large)];
      const created = await Promise.all(
        [plain, first, withText, executionOf("ws_audited")].map((one) => store().eventStore.create(one)),
      );
      expect(created.map(({ isNew }) => isNew)).toEqual([true, true, true, true]);
      const again = await store().eventStore.create(make({ idempotency }));
      expect(again).toMatchObject({ isNew: false, execution: { id: first.id } });
      const { data } = await store().audit.list({ workspaceId: "ws_audited" }, { limit: 10 });
      const expected = [plain, first, withText].map(({ audit }) => audit.id).toSorted();
      expect(data.map(({ id }) => id).toSorted()).toEqual(expected);
      expect(await store().eventStore.find(withText.id, "ws_audited")).toMatchObject(large);
    });

    it("makes as many as may be unfinished, of all that come at once, and others when some have ended", async () => {
      const asked = Array.from({ length: 12 }, () => executionOf("ws_few", { maxPending: 5 }));
      const others = Array.from({ length: 3 }, () => executionOf("ws_many", { maxPending: null }));
      const settled = await Promise.allSettled([...asked, ...others].map((one) => store().eventStore.create(one)));
      const made = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value.execution] : []));
      expect(made.map(({ workspaceId }) => workspaceId).sort()).toEqual([
        ...Array.from({ length: 5 }, () => "ws_few"),
        ...Array.from({ length: 3 }, () => "ws_many"),
      ]);
      const refusals = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      for (const reason of refusals) {
        expect(reason).toMatchObject({ code: "QUOTA_EXCEEDED", quota: "pendingExecutions", limit: 5, used: 5 });
      }
      expect((await store().usage.counts("ws_few")).pendingExecutions).toBe(5);
      const [first, second] = made;
      await appendTo(store().eventStore, appendOf(first?.id ?? "", 0, { status: "completed" }));
      await appendTo(store().eventStore, appendOf(second?.id ?? "", 0, { status: "running" }));
      await store().eventStore.create(executionOf("ws_few", { maxPending: 5 }));
      await expect(store().eventStore.create(executionOf("ws_few", { maxPending: 5 }))).rejects.toMatchObject({
        used: 5,
      });
      await expect(store().eventStore.create(executionOf("ws_few", { maxPending: 2 }))).rejects.toMatchObject({
        limit: 2,
      });
      await store().eventStore.create(executionOf("ws_few", { maxPending: null }));
      expect((await store().usage.counts("ws_few")).pendingExecutions).toBe(6);
    });

    it("leaves an idempotency key unused when there is no room, and finds what a used one made", async () => {
      const known = executionOf("ws_a", { maxPending: 1, idempotency: keyed({ key: "known" }) });
      await store().eventStore.create(known);
      const refused = executionOf("ws_a", { maxPending: 1, idempotency: keyed({ key: "refused" }) });
      await expect(store().eventStore.create(refused)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
      const again = executionOf("ws_a", { maxPending: 1, idempotency: keyed({ key: "known" }) });
      expect(await store().eventStore.create(again)).toMatchObject({ isNew: false, execution: { id: known.id } });
      await appendTo(store().eventStore, appendOf(known.id, 0, { status: "completed" }));
      const retried = executionOf("ws_a", {
        maxPending: 1,
        idempotency: { ...keyed({ key: "refused" }), bodyHash: "another body" },
      });
      expect(await store().eventStore.create(retried)).toMatchObject({ isNew: true });
    });

    it("counts requests that are repeated at once as the one execution that they make", async () => {
      const repeatedOf = (key: string) =>
        Array.from({ length: 4 }, () => executionOf("ws_a", { maxPending: 3, idempotency: keyed({ key }) }));
      const [first, ...rest] = repeatedOf("known");
      if (first !== undefined) await store().eventStore.create(first);
      const asked = [...rest, ...repeatedOf("new"), executionOf("ws_a", { maxPending: 3 })];
      const made = await Promise.all(asked.map((one) => store().eventStore.create(one)));
      expect(made.filter(({ isNew }) => isNew)).toHaveLength(2);
      expect((await store().usage.counts("ws_a")).pendingExecutions).toBe(3);
    });

    it("answers the same execution for the same key and body", async () => {
      const first = executionOf("ws_a", { idempotency: keyed() });
      const second = executionOf("ws_a", { idempotency: keyed() });
      await store().eventStore.create(first);
      const repeated = await store().eventStore.create(second);
      expect(repeated).toMatchObject({ isNew: false, execution: { id: first.id } });
      expect(await store().eventStore.find(second.id, "ws_a")).toBeUndefined();
    });

    it("makes one execution when both requests come at once", async () => {
      const both = [1, 2].map(() => executionOf("ws_a", { idempotency: keyed() }));
      const answers = await Promise.all(both.map((execution) => store().eventStore.create(execution)));
      expect(answers.map(({ isNew }) => isNew)).toEqual([true, false]);
      expect(new Set(answers.map(({ execution }) => execution.id)).size).toBe(1);
    });

    it("refuses the same key with another body, and makes nothing", async () => {
      await store().eventStore.create(executionOf("ws_a", { idempotency: keyed() }));
      const other = executionOf("ws_a", { idempotency: keyed({ bodyHash: "bb" }) });
      await expect(store().eventStore.create(other)).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await store().eventStore.find(other.id, "ws_a")).toBeUndefined();
    });

    it.each<[string, Parameters<typeof keyed>[0]]>([
      ["another scope", { scope: "ws_b key_1 executions", bodyHash: "bb" }],
      ["another key", { key: "order-8", bodyHash: "bb" }],
    ])("lets %s make its own", async (_name, change) => {
      await store().eventStore.create(executionOf("ws_a", { idempotency: keyed() }));
      const other = executionOf("ws_a", { idempotency: keyed(change) });
      expect(await store().eventStore.create(other)).toMatchObject({ isNew: true, execution: { id: other.id } });
    });

    it("finds the execution of a key until the key expires, whichever body it is stored with", async () => {
      const idempotency = keyed();
      expect(await store().eventStore.findKeyed(idempotency, NOW)).toBeUndefined();
      const request = { input: "long ".repeat(20_000) };
      const { execution } = await store().eventStore.create(executionOf("ws_a", { idempotency, request }));
      expect(await store().eventStore.findKeyed(idempotency, NOW + DAY_MS - 1)).toEqual(execution);
      expect(await store().eventStore.findKeyed(idempotency, NOW + DAY_MS)).toBeUndefined();
      expect(await store().eventStore.findKeyed(keyed({ key: "order-8" }), NOW)).toBeUndefined();
      expect(await store().eventStore.findKeyed(keyed({ scope: "ws_b" }), NOW)).toBeUndefined();
      const other = store().eventStore.findKeyed(keyed({ bodyHash: "bb" }), NOW);
      await expect(other).rejects.toMatchObject({ code: "CONFLICT" });
    });

    it("replaces a key that has expired", async () => {
      await store().eventStore.create(executionOf("ws_a", { idempotency: keyed() }));
      const createdAt = NOW + DAY_MS;
      const idempotency = { ...keyed({ bodyHash: "bb" }), expiresAt: createdAt + DAY_MS };
      const later = executionOf("ws_a", { createdAt, idempotency });
      expect(await store().eventStore.create(later)).toMatchObject({ isNew: true });
      const again = executionOf("ws_a", { createdAt: createdAt + 1, idempotency });
      expect(await store().eventStore.create(again)).toMatchObject({ isNew: false, execution: { id: later.id } });
    });
  });
}
