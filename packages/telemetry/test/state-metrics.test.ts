import { Registry } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { createStateMetrics } from "../src/metrics/state-metrics.ts";

const NOW = 1_000_000;

function scrape(ping: () => Promise<void>, oldestPendingAt: number | null = null): Promise<string> {
  const registry = new Registry();
  const workspaces = { active: 0, pending: 0, aboveShare: 0 };
  const circuits = { closed: 0, open: 0, half_open: 0 };
  const state = {
    executions: () => ({ running: 0, waiting: 0, pending: 0, oldestPendingAt, slots: 1, workspaces }),
    endpoints: () => ({ circuits, disabled: 0, queueing: 0, queued: 0, inFlight: 0 }),
    ping,
  };
  createStateMetrics(registry, state, () => NOW);
  return registry.metrics();
}

it.each<[number, string, () => Promise<void>]>([
  [1, "accepts a write", () => Promise.resolve()],
  [0, "accepts none", () => Promise.reject(new Error("the disk is full"))],
  [0, "does not respond", () => new Promise(() => {})],
])("yagate_store_up is %i if the store %s", async (value, _what, ping) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const text = scrape(ping);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await text).toContain(`\nyagate_store_up ${value}\n`);
});

it.each([
  [null, 0],
  [NOW - 2_500, 2.5],
])("an execution pending since %s has waited %i s", async (oldestPendingAt, seconds) => {
  const text = await scrape(() => Promise.resolve(), oldestPendingAt);
  expect(text).toContain(`\nyagate_executions_oldest_pending_seconds ${seconds}\n`);
});
