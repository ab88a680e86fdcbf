import { expect, it, onTestFinished, vi } from "vitest";
import { execute, makeAgent, saying, start } from "./support/agents.ts";
import { startApp } from "./support/app.ts";

const HOUR_MS = 3_600_000;

it("an idempotency key stands for its execution for 24 hours, and for a new one after them", async () => {
  const startedAt = Date.parse("2026-11-22T06:00:00.000Z");
  vi.useFakeTimers({ toFake: ["Date"], now: startedAt });
  onTestFinished(() => void vi.useRealTimers());
  const app = await startApp();
  onTestFinished(() => app.stop());
  const agent = await makeAgent(app);
  const call = { headers: { "idempotency-key": "order-7" } };
  const first = await execute(app, agent.id, saying("hi"), call);
  const idAfter = async (ms: number) => {
    vi.setSystemTime(startedAt + ms);
    return (await start(app, agent.id, saying("hi"), call)).id;
  };
  expect(await idAfter(23 * HOUR_MS)).toBe(first.id);
  expect(await idAfter(24 * HOUR_MS - 1)).toBe(first.id);
  const second = await idAfter(24 * HOUR_MS);
  expect(second).not.toBe(first.id);
  expect(await idAfter(25 * HOUR_MS)).toBe(second);
});
