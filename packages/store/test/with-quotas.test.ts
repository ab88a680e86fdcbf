import { expect, it, onTestFinished } from "vitest";
import { withQuotas } from "../src/quotas/with-quotas.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { executionOf } from "./support/fixtures.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const QUOTAS = {
  ...{ agents: null, tools: null, secrets: null, pendingExecutions: null, storedBytes: 100 },
  ...{ eventStreams: null, eventStreamsPerExecution: null, requestsPerSecond: null, requestBytesInFlight: null },
};

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
