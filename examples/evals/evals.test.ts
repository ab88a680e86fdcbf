import { readdir } from "node:fs/promises";
import { assertPassed, readCases, runEvals } from "@yagate/evals";
import { expect, it } from "vitest";
import { openAgents } from "./open-agents.ts";
import { caseFiles } from "./run.ts";

/** Folders without an agent of their own. */
const WITHOUT_AGENT = ["deployment", "evals", "stage", "README.md"];

it("the agents of all examples pass their cases from cassettes, in less than 30 s", { timeout: 120_000 }, async () => {
  const cases = await readCases(...caseFiles());
  const examples = (await readdir(new URL("..", import.meta.url))).filter((name) => !WITHOUT_AGENT.includes(name));
  expect([...new Set(cases.map(({ agent }) => agent))].toSorted()).toEqual(examples.toSorted());
  const before = process.cpuUsage();
  const desk = await openAgents(false);
  try {
    const report = await runEvals(cases, { client: desk.yagate, mode: "replay" });
    assertPassed(report);
    expect(report.summary.costUsd).toBe(0);
  } finally {
    await desk.stop();
  }
  // The time on an idle machine: a busy one takes longer.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(30_000);
});
