import type { Execution } from "@yagate/protocol";
import { expect, it } from "vitest";
import { failureRate, runsByAgent } from "../src/pages/agents/runs-by-agent.ts";

const execution = (id: string, agentId: string, status: string) =>
  ({ id, agentId, status, finishedAt: status === "running" ? null : "2026-11-21T06:00:00.000Z" }) as Execution;

it.each([
  ["its newest run, and a rate without runs that go on", "a", "e4", "33.3 %"],
  ["no failure", "b", "e6", "0 %"],
  ["a run that has not ended", "c", "e8", undefined],
])("an agent has %s", (_what, agentId, last, rate) => {
  const runs = runsByAgent([
    execution("e4", "a", "running"),
    ...[execution("e6", "b", "completed"), execution("e3", "a", "failed"), execution("e8", "c", "running")],
    ...[execution("e2", "a", "completed"), execution("e1", "a", "cancelled")],
  ]).get(agentId);
  expect([runs?.last.id, failureRate(runs)]).toEqual([last, rate]);
});

it("an agent without runs has no rate", () => {
  expect(failureRate(undefined)).toBeUndefined();
});
