import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { type Family, parseMetrics } from "../../../telemetry/test/support/parse-metrics.ts";
import { calling, execute, makeAgent, problemOf, saying, start } from "../http/support/agents.ts";
import { EventReader } from "../http/support/event-reader.ts";
import { startHandler, workTool } from "../http/support/handler.ts";
import { startWorld } from "../http/support/world.ts";
import { askPromtool, lintMetrics } from "./support/lint-metrics.ts";

const world = await startWorld({ logLevel: "silent", endpointConcurrency: 1 });
afterAll(() => world.stop());

async function scrape(): Promise<ReadonlyMap<string, Family>> {
  const answer = await world.call("getMetrics");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseMetrics(String(answer.body));
}

/** The value of the one sample with these labels; 0 where there is none yet. */
function sampleValue(families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:sum|count|bucket)$/, ""));
  if (family === undefined) throw new Error(`expected a metric ${name}`);
  const wanted = Object.entries(labels);
  const found = family.samples.filter(
    (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length > 1) throw new Error(`expected one sample of ${name}`);
  return found[0]?.value ?? 0;
}

function seriesOf(families: ReadonlyMap<string, Family>): ReadonlySet<string> {
  const samples = [...families].filter(([name]) => name.startsWith("yagate_")).flatMap(([, { samples }]) => samples);
  return new Set(samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`));
}

describe("who may read metrics", () => {
  it("refuses requests without a key", async () => {
    const answer = await world.call("getMetrics", { key: null });
    expect([answer.status, problemOf(answer).code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  it("is a key with the scope operations", async () => {
    const allowed = await world.makeKey(["operations"]);
    expect((await world.call("getMetrics", { key: allowed.text })).status).toBe(200);
    const others = await world.makeKey(["agents", "executions", "secrets", "tools", "approvals", "fallback", "admin"]);
    const answer = await world.call("getMetrics", { key: others.text });
    expect([answer.status, problemOf(answer).code]).toEqual([403, "FORBIDDEN"]);
  });

  it("is no other workspace, whatever its key may do", async () => {
    const tenant = await world.makeWorkspace("tenant");
    const answer = await world.call("getMetrics", { key: tenant.key });
    expect([answer.status, problemOf(answer).code]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("metrics", () => {
  it("follow the rules that Prometheus has for names", async () => {
    await execute(world, (await makeAgent(world)).id, saying("hi"));
    const exposition = String((await world.call("getMetrics")).body);
    expect(lintMetrics(parseMetrics(exposition))).toEqual([]);
    expect(await askPromtool(exposition)).toEqual([]);
  });

  it("are families with a type, whose histograms add up", async () => {
    await execute(world, (await makeAgent(world)).id, saying("hi"));
    const families = await scrape();
    for (const [name, { type, samples }] of families) {
      expect([name, ["counter", "gauge", "histogram", "summary"]]).toEqual([name, expect.arrayContaining([type])]);
      for (const count of samples.filter((sample) => type === "histogram" && sample.name.endsWith("_count"))) {
        const isOwn = ({ labels: { le: _, ...labels } }: (typeof samples)[number]) =>
          JSON.stringify(labels) === JSON.stringify(count.labels);
        const buckets = samples.filter((sample) => sample.name.endsWith("_bucket") && isOwn(sample));
        const values = buckets.map(({ value }) => value);
        expect(values).toEqual(values.toSorted((left, right) => left - right));
        expect(buckets.at(-1)).toMatchObject({ labels: { le: "+Inf" }, value: count.value });
      }
    }
  });

  it("begin at zero where their labels are known beforehand, so that the first event shows in a rate", async () => {
    const fresh = await startWorld({ logLevel: "silent" });
    try {
      const families = parseMetrics(String((await fresh.call("getMetrics")).body));
      for (const [name, labels] of [
        ["yagate_executions_finished_total", { status: "failed", stop_reason: "error" }],
        ["yagate_executions_finished_total", { status: "completed", stop_reason: "maxToolCostUsd" }],
        ["yagate_approvals_total", { status: "expired" }],
        ["yagate_input_requests_total", { status: "expired" }],
        ["yagate_tool_calls_total", { status: "denied", via: "none" }],
        ["yagate_tool_attempts_total", { result: "POLICY_DENIED" }],
        ["yagate_tool_outcomes_unknown_total", {}],
        ["yagate_receipts_unverified_total", {}],
        ["yagate_tool_source_syncs_total", { result: "unauthorized" }],
        ["yagate_model_requests_total", { provider: "openai", result: "MODEL_ERROR" }],
        ["yagate_model_cost_usd_total", { provider: "openai" }],
      ] as const) {
        const samples = families.get(name)?.samples ?? [];
        expect([name, samples]).toEqual([name, expect.arrayContaining([{ name, labels, value: 0 }])]);
      }
    } finally {
      await fresh.stop();
    }
  });

  it("count calls of which it is not known whether they happened", async () => {
    const before = await scrape();
    const handler = await startHandler({ isHeld: true });
    const tool = workTool(handler.url, { sideEffect: "non_idempotent_write", timeout: 100 });
    await execute(world, (await makeAgent(world, { tools: [tool] })).id, calling("work"));
    handler.release();
    const name = "yagate_tool_outcomes_unknown_total";
    expect(sampleValue(await scrape(), name) - sampleValue(before, name)).toBe(1);
  });

  it("count what happened to executions, models and tools", async () => {
    const before = await scrape();
    const working = await startHandler();
    const failing = await startHandler({ status: 503 });
    const refusing = await startHandler({ body: { error: { code: "OUT_OF_STOCK", message: "none left" } } });
    for (const { url } of [working, failing, refusing]) {
      await execute(world, (await makeAgent(world, { tools: [workTool(url)] })).id, calling("work"));
    }
    await execute(world, (await makeAgent(world, { model: "openai/gpt-5" })).id, { input: "hello" });
    const after = await scrape();
    const grown = (name: string, labels?: Record<string, string>) =>
      sampleValue(after, name, labels) - sampleValue(before, name, labels);

    expect(grown("yagate_executions_started_total")).toBe(4);
    expect(grown("yagate_executions_finished_total", { status: "completed", stop_reason: "final" })).toBe(3);
    expect(grown("yagate_executions_finished_total", { status: "failed", stop_reason: "error" })).toBe(1);
    expect(grown("yagate_execution_duration_seconds_count", { status: "completed" })).toBe(3);
    expect(grown("yagate_model_requests_total", { provider: "scripted", result: "ok" })).toBe(6);
    expect(grown("yagate_model_requests_total", { provider: "openai", result: "NOT_CONFIGURED" })).toBe(1);
    expect(grown("yagate_model_request_duration_seconds_count", { provider: "scripted" })).toBe(6);
    expect(grown("yagate_model_tokens_total", { provider: "scripted", type: "input" })).toBeGreaterThan(0);
    for (const result of ["ok", "HANDLER_ERROR", "handler"]) {
      expect([result, grown("yagate_tool_attempts_total", { result })]).toEqual([result, 1]);
    }
    expect(grown("yagate_tool_attempt_duration_seconds_count", { result: "failed" })).toBe(2);
    expect(grown("yagate_tool_calls_total", { status: "completed", via: "handler" })).toBe(1);
    expect(grown("yagate_tool_calls_total", { status: "failed" })).toBe(2);
    expect(grown("yagate_journal_appends_total", { outcome: "appended" })).toBeGreaterThan(6);
    expect(grown("yagate_journal_commit_duration_seconds_count")).toBeGreaterThan(6);
    expect(grown("yagate_journal_commit_group_size_sum")).toBeGreaterThanOrEqual(
      grown("yagate_journal_commit_group_size_count"),
    );
    const created = { route: "/v1/agents/:id/executions", method: "POST", status: "201" };
    expect(grown("yagate_http_requests_total", created)).toBe(4);
  });

  it("show the state of the process", async () => {
    const held = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(held.url)] });
    await start(world, agent.id, calling("work"));
    await held.called(1);
    const listening = new EventReader(
      await world.open("executeAgent", {
        params: { id: agent.id },
        body: calling("work"),
        headers: { accept: "text/event-stream" },
      }),
    );
    await listening.until("attempt.started");
    const busy = await scrape();
    // One waits for a slot of the handler's URL, and holds no place.
    expect(sampleValue(busy, "yagate_executions", { state: "running" })).toBe(1);
    expect(sampleValue(busy, "yagate_executions", { state: "waiting" })).toBe(1);
    expect(sampleValue(busy, "yagate_execution_places")).toBe(500);
    expect(sampleValue(busy, "yagate_execution_workspaces", { state: "active" })).toBe(1);
    expect(sampleValue(busy, "yagate_execution_workspaces", { state: "pending" })).toBe(0);
    expect(sampleValue(busy, "yagate_execution_workspaces", { state: "above_share" })).toBe(0);
    expect(sampleValue(busy, "yagate_event_streams_open")).toBe(1);
    expect(sampleValue(busy, "yagate_endpoint_calls_in_flight")).toBe(1);
    expect(sampleValue(busy, "yagate_endpoint_calls_queued")).toBe(1);
    expect(sampleValue(busy, "yagate_endpoints_queueing")).toBe(1);
    expect(sampleValue(busy, "yagate_endpoints", { circuit: "closed" })).toBeGreaterThan(0);
    expect(sampleValue(busy, "yagate_store_up")).toBe(1);
    expect(sampleValue(busy, "yagate_lease_held")).toBe(1);
    expect(sampleValue(busy, "yagate_lease_renewals_total", { result: "ok" })).toBeGreaterThan(0);
    expect(sampleValue(busy, "yagate_executions_oldest_pending_seconds")).toBe(0);
    expect(busy.has("nodejs_eventloop_lag_seconds")).toBe(true);
    expect(busy.has("process_resident_memory_bytes")).toBe(true);
    held.release();
    await listening.until("execution.completed");
  });
});

describe("the number of series", () => {
  /** New names in every field that a tenant can write. */
  async function playStrangers(): Promise<void> {
    const word = () => `x${randomBytes(6).toString("hex")}`;
    const tenant = await world.makeWorkspace(word());
    const call = { key: tenant.key };
    const name = word();
    const code = word().toUpperCase();
    const handler = await startHandler({ body: { error: { code, message: 'a "quote"\nand a line' } } });
    const agent = await makeAgent(world, { name: `${word()}"}\n`, tools: [workTool(handler.url, { name })] }, call);
    await execute(world, agent.id, calling(name), call);
    await execute(world, agent.id, calling(word()), call);
    const provider = word();
    await world.call("putSecret", {
      ...call,
      params: { name: "KEY" },
      body: { value: word(), hosts: ["models.invalid"] },
    });
    await world.call("putProvider", {
      ...call,
      params: { name: provider },
      body: { apiKey: "workspace-secret://KEY", baseUrl: "https://models.invalid/v1" },
    });
    const model = await makeAgent(world, { model: `${provider}/${word()}` }, call);
    const { status } = await execute(world, model.id, { input: "hi", limits: { maxWallTimeMs: 100 } }, call);
    expect(["failed", "completed"]).toContain(status);
    await fetch(`${world.url}/${word()}/${word()}?${word()}`, { method: "POST" });
    await world.call("getExecution", { ...call, params: { id: word() } });
  }

  it("stays the same however many agents, tools, codes, providers and paths there are", async () => {
    await playStrangers();
    const before = seriesOf(await scrape());
    for (let round = 0; round < 5; round += 1) await playStrangers();
    const after = [...seriesOf(await scrape())];
    expect(after.filter((series) => /x[0-9a-f]{12}/i.test(series))).toEqual([]);
    // Whether an unreachable model fails or is abandoned first is a race, which decides only these.
    const isFixed = (series: string) => !series.includes('"provider":"other"');
    expect(after.filter((series) => isFixed(series) && !before.has(series))).toEqual([]);
    expect(before.size).toBeLessThan(1_000);
  });
});
