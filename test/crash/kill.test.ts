import { setTimeout as pass } from "node:timers/promises";
import type { ExecutionEvent, Script } from "@yagate/protocol";
import { expect, it } from "vitest";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories, isInterrupted, wasInterrupted } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { journalOf } from "./journal-of.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = 100;
const KILLS = 20;
const LIMIT_MS = 58_000;
/** Within this time after it began to listen, a life takes its executions and comes to its end. */
const LIFE_MS = 400;

function randomScript(random: SeededRandom): Script {
  const turns = Array.from({ length: random.between(2, 3) }, () => ({
    toolCalls: Array.from({ length: random.between(2, 4) }, () => ({
      name: random.pick(TOOLS).name,
      parameters: { amount: random.between(1, 1_000) },
    })),
  }));
  return { turns: [...turns, { text: "done" }] };
}

it(`loses nothing and repeats nothing finished when it is killed ${KILLS} times during ${EXECUTIONS} executions`, {
  timeout: LIMIT_MS,
}, async () => {
  // CRASH_SEED repeats the scripts and the moments; what the machine makes of them it can't repeat.
  const random = createSeededRandom(process.env["CRASH_SEED"]);
  process.stdout.write(`\nCRASH_SEED=${random.seed}\n`);
  const latencies = createSeededRandom(String(random.between(0, 1_000_000)));
  const gateway = await GatewayProcess.prepare();
  const service = await startCountingService({
    secret: gateway.signingSecret,
    latencyMs: () => latencies.between(2, 120),
  });
  await gateway.start();
  const agent = await gateway.client.agents.create({
    name: "Crash",
    model: "scripted/turns",
    tools: service.tools,
  });

  const acknowledged = new Map<string, Promise<readonly ExecutionEvent[]>>();
  const accept = async (afterMs: number, script: Script) => {
    await pass(afterMs);
    const { id } = await startUntilAccepted(gateway, agent.id, script);
    acknowledged.set(id, followToEnd(gateway, id));
  };
  const accepting: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let kill = 0; kill < KILLS; kill += 1) {
    if (kill > 0) await gateway.start();
    for (let count = 0; count < EXECUTIONS / KILLS; count += 1) {
      accepting.push(accept(random.between(0, LIFE_MS), randomScript(random)));
    }
    await pass(random.between(0, LIFE_MS));
    await gateway.kill();
  }
  await gateway.start();
  await Promise.all(accepting);
  const streamed = new Map<string, readonly ExecutionEvent[]>();
  for (const [id, events] of acknowledged) streamed.set(id, await events);
  expect(await gateway.end("SIGTERM")).toBe(0);

  const journal = await journalOf(gateway.dataDir, [...acknowledged.keys()]);
  const calls = [...journal.values()].flatMap((events) => callHistories(events, service));
  const attempts = calls.flatMap((call) => call.attempts);
  const interruptedCalls = calls.filter(wasInterrupted);
  const counts = {
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    kills: KILLS,
    executions: acknowledged.size,
    toolCalls: calls.length,
    requests: service.arrivals.length,
    interruptedAttempts: attempts.filter(isInterrupted).length,
    sentAgain: interruptedCalls.filter((call) => call.attempts.length > 1).length,
    outcomeUnknown: calls.filter(({ ends: [end] }) => end?.type === "tool_call.failed").length,
    sentAgainAndDoneOnce: interruptedCalls.filter(({ arrivals, results }) => arrivals.length > 1 && results === 1)
      .length,
  };
  process.stdout.write(`${JSON.stringify(counts)}\n`);

  expect([...journal].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
  expect(calls.flatMap((call) => brokenCallRules(call))).toEqual([]);
  const known = new Set(calls.map(({ id }) => id));
  expect(service.arrivals.filter(({ toolCallId }) => !known.has(toolCallId))).toEqual([]);
  // What clients were shown is what was kept.
  expect(streamed).toEqual(journal);
  expect(acknowledged.size).toBe(EXECUTIONS);
  // Else the moments were too late or too early for a test of anything.
  expect(counts.interruptedAttempts).toBeGreaterThan(KILLS);
  expect(counts.sentAgain).toBeGreaterThan(0);
  expect(counts.outcomeUnknown).toBeGreaterThan(0);
  expect(gateway.output).not.toMatch(/"level":50/);
});
