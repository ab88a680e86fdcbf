import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { appendTo } from "../../src/events/event-store.ts";
import type { Store } from "../../src/port.ts";
import { agentOf, appendOf, executionOf, NOW } from "../support/fixtures.ts";
import type { StoreHarness } from "./store-harness.ts";

const WORKSPACE = "ws_a";

/** Lets a process append, kills it after so many acknowledgements, and says what it had acknowledged. */
export async function killAppenderAfter(harness: StoreHarness, acknowledgements: number): Promise<Map<string, number>> {
  const child = harness.startAppender();
  const acknowledged = new Map<string, number>();
  let count = 0;
  if (child.stdout === null) throw new Error("expected the appender's output");
  for await (const line of createInterface({ input: child.stdout })) {
    const [executionId = "", seq = ""] = line.split(" ");
    acknowledged.set(executionId, Number(seq));
    count += 1;
    // Lines that were written before the signal arrived are read on: they are acknowledgements too.
    if (count === acknowledgements) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
  return acknowledged;
}

async function expectWhole(store: Store, executionId: string, acknowledgedSeq: number): Promise<void> {
  const entries = await store.eventStore.entries(executionId, 0);
  expect(entries.length).toBeGreaterThanOrEqual(acknowledgedSeq);
  expect(entries.map(({ event }) => event.seq)).toEqual(entries.map((_, index) => index + 1));
  expect(await store.eventStore.find(executionId, WORKSPACE)).toMatchObject({ lastSeq: entries.length });
  // Every append says how many entries it had, so a half of one would end in the middle.
  const last = entries.at(-1)?.event;
  expect(last).toMatchObject({ position: last?.["of"] });
}

export function describeSurviving(store: () => Store, harness: () => StoreHarness, kills: readonly number[]): void {
  let reopened: Store | undefined;
  const reopen = async () => {
    await store().close();
    reopened = await harness().open();
    return reopened;
  };
  afterEach(async () => {
    await reopened?.close();
    reopened = undefined;
  });

  describe("surviving", () => {
    it("finds everything again after it was closed", async () => {
      const agent = agentOf();
      const { execution } = await store().eventStore.create(executionOf(WORKSPACE));
      await appendTo(store().eventStore, appendOf(execution.id, 0, { count: 3 }));
      await store().agents.create(WORKSPACE, agent);
      const again = await reopen();
      expect(await again.eventStore.entries(execution.id, 0)).toHaveLength(3);
      expect(await again.agents.find(WORKSPACE, agent.id)).toMatchObject({ agent });
    });

    it("commits what was asked for before it closes", async () => {
      const { execution } = await store().eventStore.create(executionOf(WORKSPACE));
      const appending = appendTo(store().eventStore, appendOf(execution.id, 0));
      const again = await reopen();
      expect(await appending).toBe("appended");
      expect(await again.eventStore.entries(execution.id, 0)).toHaveLength(1);
    });

    it.each(kills)("keeps whatever it acknowledged before kill -9 (after %i appends)", async (count) => {
      await store().close();
      const acknowledged = await killAppenderAfter(harness(), count);
      reopened = await harness().open();
      expect(acknowledged.size).toBeGreaterThan(0);
      for (const [executionId, seq] of acknowledged) await expectWhole(reopened, executionId, seq);
    });
  });

  describe("one commit for many operations", () => {
    it("takes no operation down with one that fails, and keeps nothing of that one", async () => {
      const { eventStore, workspaces, agents, signingSecrets } = store();
      const { execution } = await eventStore.create(executionOf(WORKSPACE));
      const acme = { id: "ws_acme", name: "acme", plan: "standard", createdAt: NOW };
      const secret = {
        id: "sec_1",
        workspaceId: acme.id,
        name: "default",
        sealed: "x",
        createdAt: NOW,
        expiresAt: null,
        isSeen: true,
      };
      await workspaces.create(acme, secret);
      const beta = { id: "ws_beta", name: "beta", plan: "standard", createdAt: NOW };
      const outcomes = await Promise.allSettled([
        appendTo(eventStore, appendOf(execution.id, 0)),
        // Its workspace is written before its secret's id is found to be taken.
        workspaces.create(beta, { ...secret, workspaceId: beta.id }),
        agents.archive(WORKSPACE, "agt_none", NOW),
        appendTo(eventStore, appendOf(execution.id, 1)),
        eventStore.create(executionOf(WORKSPACE, { id: execution.id })),
        appendTo(eventStore, appendOf(execution.id, 2)),
      ]);
      expect(outcomes).toMatchObject([
        { value: "appended" },
        { reason: { code: "INTERNAL" } },
        { reason: { code: "NOT_FOUND" } },
        { value: "appended" },
        { reason: { code: "INTERNAL" } },
        { value: "appended" },
      ]);
      expect(await eventStore.entries(execution.id, 0)).toHaveLength(3);
      expect(await workspaces.find(beta.id)).toBeUndefined();
      expect(await signingSecrets.list(beta.id, NOW)).toEqual([]);
    });
  });

  describe("many operations at once", () => {
    it("takes more than fit into one commit, in the order in which they came", async () => {
      const { eventStore } = store();
      const { execution } = await eventStore.create(executionOf(WORKSPACE));
      const heard: number[] = [];
      eventStore.subscribe(execution.id, (entries) => heard.push(...entries.map(({ event }) => event.seq)));
      const count = 1_300;
      const appends = Array.from({ length: count }, (_, seq) => appendTo(eventStore, appendOf(execution.id, seq)));
      expect(new Set(await Promise.all(appends))).toEqual(new Set(["appended"]));
      expect(heard).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    });
  });

  describe("being there", () => {
    it("answers a ping", async () => {
      expect(await store().ping()).toBeUndefined();
    });

    it("refuses everything once it is closed", async () => {
      const { eventStore, agents, ping } = store();
      const subject = await eventStore.create(executionOf(WORKSPACE));
      await store().close();
      const refused = { code: "UNAVAILABLE" };
      await expect(appendTo(eventStore, appendOf(subject.execution.id, 0))).rejects.toMatchObject(refused);
      await expect(eventStore.entries(subject.execution.id, 0)).rejects.toMatchObject(refused);
      await expect(agents.list(WORKSPACE, { limit: 1 })).rejects.toMatchObject(refused);
      await expect(ping()).rejects.toMatchObject(refused);
      expect(await store().close()).toBeUndefined();
    });
  });
}
