import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Execution, ExecutionRequest, HandlerToolDefinition } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import { agentOf } from "../../../store/test/support/fixtures.ts";
import { type ReceivedCall, send, startHandler } from "../../../webhooks/test/support/handler-server.ts";
import type { ComposedGateway } from "../../src/compose/compose-gateway.ts";
import { composeGateway } from "../../src/compose/compose-gateway.ts";
import { completeConfig, type GatewayConfig } from "../../src/config/gateway-config.ts";
import { CALL_THEN_ANSWER, toolAt } from "./run-world.ts";

const PATIENTLY = { timeout: 8_000, interval: 20 } as const;
const MASTER_KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
/** Of the shortest wait that is not spent in memory, in seconds. */
const FAR_OFF_SECONDS = 5;

/** Two gateways with one store: at the same time if the store allows it, otherwise one after the other. */
interface Pair {
  readonly first: ComposedGateway;
  /** The other one; the first has ended by then where both can't be. */
  other(): Promise<ComposedGateway>;
}

async function open(config: Partial<GatewayConfig>): Promise<ComposedGateway> {
  const allowCidrs = ["127.0.0.0/8"];
  const composed = await composeGateway(
    completeConfig({ allowCidrs, drainMs: 0, logLevel: "silent", masterKeys: MASTER_KEYS, ...config }),
  );
  onTestFinished(() => composed.close().catch(() => {}));
  return composed;
}

async function openOnSqlite(config: Partial<GatewayConfig> = {}): Promise<Pair> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-suspended-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await open({ dataDir, ...config });
  return {
    first,
    async other() {
      await first.close();
      return open({ dataDir, ...config });
    },
  };
}

let server: PostgresServer | undefined;
beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(() => server?.stop());

async function openOnPostgres(config: Partial<GatewayConfig> = {}): Promise<Pair> {
  const databaseUrl = (await server?.createDatabase()) ?? "";
  const [first, second] = [await open({ databaseUrl, ...config }), await open({ databaseUrl, ...config })];
  return { first, other: async () => second };
}

describe.each([
  ["SQLite, over a restart", openOnSqlite, true],
  ["PostgreSQL, at another replica", openOnPostgres, hasPostgres()],
] as const)("an execution that only waits, on %s", (_store, openPair, isThere) => {
  const run = isThere ? it : it.skip;

  /** Starts one, and resolves when it waits and nothing of it is in memory any more. */
  async function startWaiting(
    { executions, store, activeCount, defaultWorkspaceId: workspaceId }: ComposedGateway,
    tools: readonly HandlerToolDefinition[],
    { model = "scripted/turns", ...change }: Partial<ExecutionRequest> & { readonly model?: string } = {},
  ): Promise<Execution> {
    const agent = agentOf({ model, tools: [...tools] });
    await store.agents.create(workspaceId, agent);
    const script = model === "scripted/turns" ? { script: { turns: CALL_THEN_ANSWER } } : {};
    const request: ExecutionRequest = { input: "go", ...script, ...change };
    const execution = await executions.start({ workspaceId, keyId: null, keyRouting: undefined, agent, request });
    await expect.poll(async () => (await executions.get(workspaceId, execution.id)).status, PATIENTLY).toBe("waiting");
    await expect.poll(activeCount, PATIENTLY).toBe(0);
    return execution;
  }

  async function expectEnd({ executions, defaultWorkspaceId, activeCount }: ComposedGateway, id: string, end: object) {
    await expect.poll(() => executions.get(defaultWorkspaceId, id), PATIENTLY).toMatchObject(end);
    await expect.poll(activeCount, PATIENTLY).toBe(0);
  }

  const reasonsOf = async ({ store }: ComposedGateway, id: string) =>
    (await store.eventStore.entries(id, 0)).flatMap(({ event }) =>
      event.type === "execution.waiting" ? [event.reason] : [],
    );

  run("for a fallback continues with the fallback", async () => {
    const { first, other } = await openPair();
    const handler = await startHandler((response) => send(response, { status: 500 }));
    const { id } = await startWaiting(first, [toolAt(handler.url)], { fallback: { waitMs: 60_000 } });
    const second = await other();
    expect(second.activeCount()).toBe(0);
    const { executions, defaultWorkspaceId: workspaceId } = second;
    const [call] = await executions.toolCalls(workspaceId, id);
    expect(call).toMatchObject({ status: "waiting_fallback", attempts: [{ number: 1, httpStatus: 500 }] });
    const request = { workspaceId, keyId: null, mayAnswerForOthers: false, toolCallId: call?.id ?? "" };
    await executions.answerFallback({ ...request, fallback: { result: "from the cache" } });
    await expectEnd(second, id, { status: "completed", output: { text: "It is done." } });
    expect(await executions.toolCalls(workspaceId, id)).toMatchObject([
      { status: "completed", via: "fallback", result: "from the cache" },
    ]);
    expect(await reasonsOf(second, id)).toEqual(["fallback"]);
    expect(handler.calls).toHaveLength(1);
  });

  run("for a distant retry and a fallback that never comes continues at each time", async () => {
    const { first, other } = await openPair();
    const arrivals: number[] = [];
    const handler = await startHandler((response, { body }) => {
      if (body.includes('"held"')) return send(response, { status: 400 });
      arrivals.push(Date.now());
      const isFirst = arrivals.length === 1;
      const headers = { "retry-after": String(FAR_OFF_SECONDS + 1) };
      send(response, isFirst ? { status: 503, headers } : { body: { result: "at last" } });
    });
    const tools = [toolAt(handler.url, { name: "held" }), toolAt(handler.url, { name: "retried", retries: 1 })];
    const toolCalls = tools.map(({ name }) => ({ name, parameters: {} }));
    const { id } = await startWaiting(first, tools, {
      fallback: { waitMs: FAR_OFF_SECONDS * 1_000 + 200 },
      script: { turns: [{ toolCalls }, { text: "It is done." }] },
    });
    const second = await other();
    await expectEnd(second, id, { status: "completed" });
    expect(await second.executions.toolCalls(second.defaultWorkspaceId, id)).toMatchObject([
      { status: "failed", error: { code: "HANDLER_ERROR" } },
      { status: "completed", result: "at last", attempts: [{ number: 1 }, { number: 2 }] },
    ]);
    expect(arrivals).toHaveLength(2);
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThanOrEqual(FAR_OFF_SECONDS * 1_000);
  });

  run("for its model's provider can be cancelled meanwhile", async () => {
    const asked: ReceivedCall[] = [];
    const provider = await startHandler((response, call) => {
      asked.push(call);
      send(response, { status: 429, headers: { "retry-after": "60" }, body: { error: { message: "too many" } } });
    });
    const baseUrl = new URL("/v1", provider.url).href;
    const { first, other } = await openPair({ providers: { house: { baseUrl } } });
    const { id } = await startWaiting(first, [], { model: "house/any" });
    const second = await other();
    expect(await reasonsOf(second, id)).toEqual(["retry"]);
    await second.executions.cancel(second.defaultWorkspaceId, id);
    await expectEnd(second, id, { status: "cancelled" });
    expect(asked).toHaveLength(1);
  });

  run("briefly stays in memory: that costs less than to lay it down", async () => {
    const { first } = await openPair();
    let calls = 0;
    const handler = await startHandler((response) => {
      calls += 1;
      const headers = { "retry-after": "1" };
      send(response, calls === 1 ? { status: 503, headers } : { body: { result: 1 } });
    });
    const { executions, store, activeCount, defaultWorkspaceId: workspaceId } = first;
    const agent = agentOf({ model: "scripted/turns", tools: [toolAt(handler.url, { retries: 1 })] });
    await store.agents.create(workspaceId, agent);
    const { id } = await executions.start({
      workspaceId,
      keyId: null,
      keyRouting: undefined,
      agent,
      request: { input: "go", script: { turns: CALL_THEN_ANSWER } },
    });
    await expect.poll(async () => (await executions.get(workspaceId, id)).status, PATIENTLY).toBe("waiting");
    expect(activeCount()).toBe(1);
    await expectEnd(first, id, { status: "completed" });
    expect((await store.eventStore.find(id, workspaceId))?.epoch).toBe(1);
  });
});
