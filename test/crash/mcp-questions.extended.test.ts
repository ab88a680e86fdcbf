import { generateSigningSecret, type ReceivedEvent } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAskingServer } from "../../packages/mcp/test/client/support/asking-server.ts";
import { startResumableServer } from "../../packages/mcp/test/client/support/resumable-server.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import type { Boundary } from "./faults/boundaries.ts";
import { GatewayProcess } from "./gateway-process.ts";

const ANSWERS = { colour: { action: "accept", content: { colour: "green" } } } as const;
const SIDE_EFFECTS = { read: "read_only", write: "non_idempotent_write" } as const;
type Kind = keyof typeof SIDE_EFFECTS;

/** The longest life of a gateway that ends at a boundary. */
const LONGEST_LIFE_MS = 60_000;

/** A server that asks, and holds the answered calls of a test until they may work. */
async function startServer() {
  let arrivals = 0;
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = await startAskingServer({
    async onAnswers() {
      arrivals += 1;
      arrived.resolve();
      await released.promise;
    },
  });
  return {
    ...server,
    /** Resolves when an answered call has arrived. */
    arrived: arrived.promise,
    release: () => released.resolve(),
    /** How many answered calls have arrived. */
    arrivals: () => arrivals,
  };
}

/** Starts an execution whose one call asks, and waits until it does. */
async function ask(gateway: GatewayProcess, { url }: { readonly url: string }, kind: Kind) {
  const { client } = gateway;
  const overrides = { paint: { sideEffect: SIDE_EFFECTS[kind], retries: 2 } };
  const source = await client.sources.create({ name: "asking", kind: "mcp", url, accept: "all", overrides });
  const agent = await client.agents.create({
    ...{ name: "Asking", model: "scripted/turns", tools: [{ source: source.id }], policy: { network: true } },
  });
  const turns = [{ toolCalls: [{ name: "asking.paint", parameters: {} }] }, { text: "done" }];
  const { id } = await client.agents.start(agent.id, { input: "go", script: { turns } });
  for await (const { type } of client.executions.events(id)) if (type === "execution.waiting") break;
  const [asked] = await client.inputRequests.list({ status: "pending" }).toArray();
  if (asked === undefined) throw new Error("expected a question");
  return { id, toolCallId: asked.toolCallId };
}

const answer = ({ client }: GatewayProcess, toolCallId: string) =>
  client.inputRequests.answer(toolCallId, { round: 1, answers: ANSWERS });

/** How the call of an execution ended. */
async function endOf(gateway: GatewayProcess, id: string): Promise<ReceivedEvent | undefined> {
  const events = await followToEnd(gateway, id);
  expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  expect(events.filter(({ type }) => type === "input.received")).toHaveLength(1);
  const ends = events.filter(({ type }) => type === "tool_call.completed" || type === "tool_call.failed");
  expect(ends).toHaveLength(1);
  return ends[0];
}

const COMPLETED = { type: "tool_call.completed", result: expect.stringContaining("painted") };
const UNKNOWN = { type: "tool_call.failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } };

describe("a gateway on SQLite that is killed during a round of questions", () => {
  it.each<Kind>(["read", "write"])(
    "keeps the questions of a %s while they wait",
    { timeout: 120_000 },
    async (kind) => {
      const server = await startServer();
      server.release();
      const gateway = await GatewayProcess.prepare();
      await gateway.start();
      const { id, toolCallId } = await ask(gateway, server, kind);
      const before = await gateway.client.inputRequests.get(toolCallId);
      await gateway.kill();
      await gateway.start();
      expect(await gateway.client.inputRequests.get(toolCallId)).toEqual(before);
      await answer(gateway, toolCallId);
      expect(await endOf(gateway, id)).toMatchObject(COMPLETED);
      expect(server.arrivals()).toBe(1);
      expect(gateway.defects).toEqual([]);
    },
  );

  it.each<[Boundary, Kind, object, number]>([
    ["before_intent", "read", COMPLETED, 1],
    ["before_intent", "write", COMPLETED, 1],
    ["after_intent", "read", COMPLETED, 1],
    ["after_intent", "write", UNKNOWN, 0],
    ["before_outcome", "read", COMPLETED, 2],
    ["before_outcome", "write", UNKNOWN, 1],
    ["after_outcome", "read", COMPLETED, 1],
    ["after_outcome", "write", COMPLETED, 1],
  ])("after the answers, %s, of a %s", { timeout: 180_000 }, async (boundary, kind, end, arrivals) => {
    const server = await startServer();
    server.release();
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    const { id, toolCallId } = await ask(gateway, server, kind);
    await gateway.kill();
    const fault = { boundary, crossing: 1, isArmedAtOnce: false };
    // The process may end before it has confirmed the answers.
    const afterwards = () => void answer(gateway, toolCallId).catch(() => undefined);
    await gateway.liveUntil(fault, async () => afterwards, LONGEST_LIFE_MS);
    expect(await gateway.deaths()).toMatchObject([{ boundary }]);
    await gateway.start();
    expect(await endOf(gateway, id)).toMatchObject(end);
    expect(server.arrivals()).toBe(arrivals);
    await expect(answer(gateway, toolCallId)).rejects.toMatchObject({ status: 409 });
  });

  it.each<[Kind, object, number]>([
    ["read", COMPLETED, 2],
    ["write", UNKNOWN, 1],
  ])("while the server works on the answers of a %s", { timeout: 120_000 }, async (kind, end, arrivals) => {
    const server = await startServer();
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    const { id, toolCallId } = await ask(gateway, server, kind);
    await answer(gateway, toolCallId);
    await server.arrived;
    await gateway.kill();
    server.release();
    await gateway.start();
    expect(await endOf(gateway, id)).toMatchObject(end);
    expect(server.arrivals()).toBe(arrivals);
  });
});

describe.skipIf(!hasPostgres())("two replicas on PostgreSQL, of which one takes the answers", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  /** Two replicas. The first one takes the answers, and is too busy to run the call until `idle` is called. */
  async function openReplicas(server: { readonly url: string }, kind: Kind) {
    const environment = {
      DATABASE_URL: await postgres.createDatabase(),
      YAGATE_SIGNING_SECRET: generateSigningSecret(),
    };
    const first = await GatewayProcess.prepare({ ...environment, YAGATE_MAX_CONCURRENT_EXECUTIONS: "1" });
    const second = await GatewayProcess.prepare(environment);
    await first.start();
    await second.start();
    const busy = await startResumableServer();
    const asked = await ask(second, server, kind);
    const { client } = first;
    const source = await client.sources.create({ name: "busy", kind: "mcp", url: busy.url, accept: "all" });
    const agent = await client.agents.create({
      ...{ name: "Busy", model: "scripted/turns", tools: [{ source: source.id }], policy: { network: true } },
    });
    const turns = [{ toolCalls: [{ name: "busy.work", parameters: {} }] }, { text: "done" }];
    await client.agents.start(agent.id, { input: "go", script: { turns } });
    await busy.called("work", 1);
    return { ...asked, first, second, idle: () => busy.finish() };
  }

  it("continues the call on the other", { timeout: 120_000 }, async () => {
    const server = await startServer();
    const { first, id, toolCallId } = await openReplicas(server, "write");
    await answer(first, toolCallId);
    await server.arrived;
    server.release();
    expect(await endOf(first, id)).toMatchObject(COMPLETED);
    expect(server.arrivals()).toBe(1);
  });

  it.each<[Kind, object, number]>([
    ["read", COMPLETED, 2],
    ["write", UNKNOWN, 1],
  ])("ends the call if the other dies: %s", { timeout: 120_000 }, async (kind, end, arrivals) => {
    const server = await startServer();
    const { first, second, id, toolCallId, idle } = await openReplicas(server, kind);
    await answer(first, toolCallId);
    await server.arrived;
    await second.kill();
    idle();
    server.release();
    expect(await endOf(first, id)).toMatchObject(end);
    expect(server.arrivals()).toBe(arrivals);
  });
});
