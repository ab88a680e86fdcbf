import type { Quotas } from "@yagate/protocol";
import { expect, it, onTestFinished, vi } from "vitest";
import { withQuotas } from "../src/quotas/with-quotas.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { agentOf, executionOf, NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const QUOTAS = {
  ...{ agents: null, tools: null, secrets: null, pendingExecutions: null, storedBytes: 100 },
  ...{ eventStreams: null, eventStreamsPerExecution: null, requestsPerSecond: null, requestBytesInFlight: null },
};

/** A store with quotas that remembers the quota that each kind of creation got. */
async function openCounted(quotas: Quotas) {
  const directory = await makeTemporaryDirectory();
  const store = await openSqliteStore({ dataDir: directory.path });
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  const stop = new Error("not stored");
  const spies = {
    agents: vi.spyOn(store.agents, "create").mockRejectedValue(stop),
    tools: vi.spyOn(store.tools, "create").mockRejectedValue(stop),
    secrets: vi.spyOn(store.workspaceSecrets, "put").mockRejectedValue(stop),
    pendingExecutions: vi.spyOn(store.eventStore, "create").mockRejectedValue(stop),
  };
  return { spies, stop, store: withQuotas(store, { quotasOf: async () => quotas, storedBytesOf: () => 0 }) };
}

it("each resource has its own quota", async () => {
  const { spies, stop, store } = await openCounted({
    ...QUOTAS,
    agents: 1,
    tools: 2,
    secrets: 3,
    pendingExecutions: 4,
  });
  const secret = { workspaceId: "ws_a", name: "KEY", sealed: "sealed", at: NOW };
  await expect(store.agents.create("ws_a", agentOf())).rejects.toBe(stop);
  await expect(store.tools.create("ws_a", [], undefined)).rejects.toBe(stop);
  await expect(store.workspaceSecrets.put(secret, null)).rejects.toBe(stop);
  await expect(store.eventStore.create(executionOf("ws_a"))).rejects.toBe(stop);
  expect(spies.agents.mock.calls[0]?.[3]).toBe(1);
  expect(spies.tools.mock.calls[0]?.[4]).toBe(2);
  expect(spies.secrets.mock.calls[0]?.[1]).toBe(3);
  expect(spies.pendingExecutions.mock.calls[0]?.[0]).toMatchObject({ maxPending: 4 });
});

it.each([
  [99, undefined],
  [100, "storedBytes"],
  [101, "storedBytes"],
])("a workspace that stores %i of 100 bytes", async (used, quota) => {
  const directory = await makeTemporaryDirectory();
  const store = await openSqliteStore({ dataDir: directory.path });
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  const { eventStore } = withQuotas(store, { quotasOf: async () => QUOTAS, storedBytesOf: () => used });
  const made = eventStore.create(executionOf("ws_a")).then(
    () => undefined,
    (error: unknown) => Object(error).quota,
  );
  expect(await made).toBe(quota);
});
