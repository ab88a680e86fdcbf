import type { StreamEvent } from "@yagate/protocol";
import { afterAll, expect, it } from "vitest";
import { CALL_SECONDS } from "../../../telemetry/src/metrics/buckets.ts";
import { type Family, parseMetrics, type Sample } from "../../../telemetry/test/support/parse-metrics.ts";
import { calling, makeAgent } from "../http/support/agents.ts";
import { EventReader } from "../http/support/event-reader.ts";
import { startHandler, workTool } from "../http/support/handler.ts";
import { startWorld } from "../http/support/world.ts";

const world = await startWorld({ logLevel: "silent" });
afterAll(() => world.stop());

const EACH = 8;

async function scrape(): Promise<ReadonlyMap<string, Family>> {
  return parseMetrics(String((await world.call("getMetrics")).body));
}

const samplesOf = (families: ReadonlyMap<string, Family>, name: string): readonly Sample[] =>
  families.get(name)?.samples ?? [];

/** What the gateway counts, counted again from the events that it streamed. */
function countEvents(executions: readonly (readonly StreamEvent[])[]) {
  const counts = new Map<string, number>();
  const modelMs: number[] = [];
  const attemptMs: Record<"ok" | "failed", number[]> = { ok: [], failed: [] };
  const add = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const events of executions) {
    let requestedAt = 0;
    for (const event of events) {
      if (event.type === "model.requested") requestedAt = Date.parse(event.at);
      else if (event.type === "model.responded") {
        add("turns ok");
        add("tokens input", event.usage.inputTokens);
        add("tokens output", event.usage.outputTokens);
        modelMs.push(Date.parse(event.at) - requestedAt);
      } else if (event.type === "attempt.finished") {
        const { errorCode, durationMs } = event;
        add(`attempts ${errorCode === "OUT_OF_STOCK" ? "handler" : (errorCode ?? "ok")}`);
        attemptMs[errorCode === undefined ? "ok" : "failed"].push(durationMs ?? Number.NaN);
      } else if (event.type === "tool_call.completed") add(`calls completed ${event.via}`);
      else if (event.type === "tool_call.failed") add("calls failed none");
      else if (event.type === "execution.completed") add(`finished completed ${event.stopReason}`);
    }
  }
  return { counts, modelMs, attemptMs };
}

/** The samples of a histogram that counted these durations, by their bounds. */
function bucketsOf(durationsMs: readonly number[]): Record<string, number> {
  const upTo = (bound: number) => durationsMs.filter((durationMs) => durationMs / 1_000 <= bound).length;
  return { ...Object.fromEntries(CALL_SECONDS.map((le) => [`${le}`, upTo(le)])), "+Inf": durationsMs.length };
}

function exposedBuckets(families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string>) {
  const own = samplesOf(families, name).filter((sample) =>
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
  const total = (suffix: string) => own.find((sample) => sample.name === `${name}_${suffix}`)?.value;
  const byBound = Object.fromEntries(buckets.map(({ labels: { le = "" }, value }) => [le, value]));
  return { byBound, sum: total("sum"), count: total("count") };
}

it("scrapes during concurrent executions count up to exactly the events that were streamed", async () => {
  const held = await startHandler({ isHeld: true });
  const failing = await startHandler({ status: 503 });
  const refusing = await startHandler({ body: { error: { code: "OUT_OF_STOCK", message: "none left" } } });
  const agents = await Promise.all(
    [held, failing, refusing].map(({ url }) => makeAgent(world, { tools: [workTool(url)] })),
  );
  const headers = { accept: "text/event-stream" };
  const follow = async (id: string) => {
    const reader = new EventReader(
      await world.open("executeAgent", { params: { id }, body: calling("work"), headers }),
    );
    return (await reader.all()).map(({ data }) => data);
  };
  let isOver = false;
  const following = Promise.all(agents.flatMap(({ id }) => Array.from({ length: EACH }, () => follow(id)))).finally(
    () => {
      isOver = true;
    },
  );
  await held.called(EACH);
  const early = await scrape();
  const succeeded = samplesOf(early, "yagate_tool_attempts_total").find(({ labels }) => labels["result"] === "ok");
  expect(succeeded?.value).toBe(0);
  held.release();
  let [before, last] = [early, early];
  while (!isOver) {
    [before, last] = [last, await scrape()];
    for (const [name, { type, samples }] of last) {
      if (type !== "counter" || !name.startsWith("yagate_")) continue;
      const earlier = new Map(samplesOf(before, name).map(({ labels, value }) => [JSON.stringify(labels), value]));
      const lower = samples.filter(({ labels, value }) => value < (earlier.get(JSON.stringify(labels)) ?? 0));
      expect([name, lower]).toEqual([name, []]);
    }
  }
  const executions = await following;
  const families = await scrape();
  const { counts, modelMs, attemptMs } = countEvents(executions);

  const exposed = new Map<string, number>();
  const expose = (name: string, metric: string, ...labelNames: readonly string[]) => {
    for (const { labels, value } of samplesOf(families, metric)) {
      if (value > 0) exposed.set([name, ...labelNames.map((label) => labels[label])].join(" "), value);
    }
  };
  expose("turns", "yagate_model_requests_total", "result");
  expose("tokens", "yagate_model_tokens_total", "type");
  expose("attempts", "yagate_tool_attempts_total", "result");
  expose("calls", "yagate_tool_calls_total", "status", "via");
  expose("finished", "yagate_executions_finished_total", "status", "stop_reason");
  expect(exposed).toEqual(counts);
  expect(samplesOf(families, "yagate_executions_started_total")[0]?.value).toBe(executions.length);

  for (const [durationsMs, name, labels] of [
    [modelMs, "yagate_model_request_duration_seconds", { provider: "scripted" }],
    [attemptMs.ok, "yagate_tool_attempt_duration_seconds", { result: "ok" }],
    [attemptMs.failed, "yagate_tool_attempt_duration_seconds", { result: "failed" }],
  ] as const) {
    const { byBound, sum, count } = exposedBuckets(families, name, labels);
    expect([name, byBound, count]).toEqual([name, bucketsOf(durationsMs), durationsMs.length]);
    expect(sum).toBeCloseTo(
      durationsMs.reduce((total, durationMs) => total + durationMs / 1_000, 0),
      9,
    );
  }
});
