import { appendTo } from "@yagate/store/events/event-store";
import { expect, it, onTestFinished } from "vitest";
import { placeMigratedJournal } from "../../../../test/services/migrated-stores.ts";
import { appendOf, executionOf } from "../../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory } from "../../../store/test/support/temporary-directory.ts";
import { openConfiguredStore } from "../../src/compose/compose-store.ts";
import { createGatewayContext } from "../../src/compose/gateway-context.ts";
import { completeConfig, type GatewayConfig } from "../../src/config/gateway-config.ts";

const DAY_MS = 86_400_000;

it.each<[GatewayConfig, number]>([
  [{ exchangeRetentionDays: 0 }, 0],
  [{ exchangeRetentionDays: 1 }, 1],
  [{}, 7],
])("with %o, requests and responses are deleted by the first pass after %i days", async (settings, days) => {
  const directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  const config = completeConfig({ ...settings, dataDir: directory.path, logLevel: "silent" });
  const store = await openConfiguredStore(createGatewayContext(config));
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  const { execution } = await store.eventStore.create(executionOf("ws_a"));
  const request = { headers: {}, body: "private", bodyBytes: 7, isTruncated: false };
  const exchange = { attemptId: `att_${execution.id}`, request, response: null };
  const before = Date.now();
  await appendTo(store.eventStore, appendOf(execution.id, 0, { epoch: 1, exchanges: [exchange] }));
  const after = Date.now();
  const deleteAt = (moment: number) => store.eventStore.deleteExpired(moment, 25);
  expect(await deleteAt(before + days * DAY_MS)).toBe(0);
  expect(await deleteAt(after + days * DAY_MS + 1)).toBe(1);
});
