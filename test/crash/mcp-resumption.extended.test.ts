import type { ExecutionEvent } from "@yagate/client";
import { generateSigningSecret } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ResumableServer,
  type ResumableServerOptions,
  startResumableServer,
} from "../../packages/mcp/test/client/support/resumable-server.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const TOOLS = ["read", "write"];
const OVERRIDES = {
  read: { sideEffect: "read_only" },
  write: { sideEffect: "non_idempotent_write", retries: 3 },
} as const;

/** A gateway with calls in flight, which dies. */
interface World {
  readonly gateway: GatewayProcess;
  readonly server: ResumableServer;
  readonly sourceId: string;
  /** The executions, by the tool that each calls. */
  readonly executions: ReadonlyMap<string, string>;
}

async function startCalls(gateway: GatewayProcess, options: ResumableServerOptions = {}): Promise<World> {
  const server = await startResumableServer({ ...options, tools: TOOLS });
  const { client } = gateway;
  const { url } = server;
  const source = await client.sources.create({ name: "slow", kind: "mcp", url, accept: "all", overrides: OVERRIDES });
  const agent = await client.agents.create({
    ...{ name: "Crash", model: "scripted/turns", tools: [{ source: source.id }], policy: { network: true } },
  });
  const executions = new Map<string, string>();
  for (const tool of TOOLS) {
    const turns = [{ toolCalls: [{ name: `slow.${tool}`, parameters: {} }] }, { text: "done" }];
    executions.set(tool, (await client.agents.start(agent.id, { input: "go", script: { turns } })).id);
    await server.called(tool, 1);
  }
  return { gateway, server, sourceId: source.id, executions };
}

/** Resolves when each execution has recorded that its call can be resumed. */
async function untilResumable({ gateway, executions }: World): Promise<void> {
  for (const id of executions.values()) {
    for await (const { type } of gateway.client.executions.events(id)) if (type === "attempt.resumable") break;
  }
}

/** Follows the execution of a tool to its end, and returns how its call ended and its attempts. */
async function endOf(gateway: GatewayProcess, { executions }: World, tool: string) {
  const events = await followToEnd(gateway, executions.get(tool) ?? "");
  expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  const isEnd = ({ type }: ExecutionEvent) => type === "tool_call.failed" || type === "tool_call.completed";
  return {
    ends: events.filter(isEnd),
    attempts: events.flatMap((event) => (event.type === "attempt.started" ? [event.isResumption === true] : [])),
  };
}

/** Whether each attempt only read a response. */
const SENT_ONCE_AND_RESUMED = [false, true];

function describeResumption(store: { readonly open: () => Promise<readonly [GatewayProcess, GatewayProcess]> }): void {
  /** Kills the process that runs the calls, and returns the one that takes over. */
  async function takeOver(dying: GatewayProcess, other: GatewayProcess): Promise<GatewayProcess> {
    await dying.kill();
    if (dying === other) await dying.start();
    return other;
  }

  it("reads the results of calls that a kill cuts, and runs no tool again", { timeout: 120_000 }, async () => {
    const [first, second] = await store.open();
    const world = await startCalls(first);
    await untilResumable(world);
    const gateway = await takeOver(first, second);
    world.server.finish();
    for (const tool of TOOLS) {
      const { ends, attempts } = await endOf(gateway, world, tool);
      expect(ends).toMatchObject([{ type: "tool_call.completed", result: `${tool} ran 1 times` }]);
      expect(attempts).toEqual(SENT_ONCE_AND_RESUMED);
    }
    expect(Object.fromEntries(world.server.calls)).toEqual({ read: 1, write: 1 });
    expect(gateway.defects).toEqual([]);
  });

  it("repeats calls whose response is lost only if their side effect allows it", { timeout: 120_000 }, async () => {
    const [first, second] = await store.open();
    const world = await startCalls(first);
    await untilResumable(world);
    world.server.forget();
    const gateway = await takeOver(first, second);
    world.server.finish();
    expect(await endOf(gateway, world, "read")).toMatchObject({
      ends: [{ type: "tool_call.completed", result: "read ran 2 times" }],
      attempts: [...SENT_ONCE_AND_RESUMED, false],
    });
    expect(await endOf(gateway, world, "write")).toMatchObject({
      ends: [{ type: "tool_call.failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } }],
      attempts: SENT_ONCE_AND_RESUMED,
    });
    expect(Object.fromEntries(world.server.calls)).toEqual({ read: 2, write: 1 });
  });

  it("cannot resume responses whose events have no ids", { timeout: 120_000 }, async () => {
    const [first, second] = await store.open();
    const world = await startCalls(first, { hasEvents: false });
    const gateway = await takeOver(first, second);
    world.server.finish();
    expect((await endOf(gateway, world, "read")).attempts).toEqual([false, false]);
    expect(await endOf(gateway, world, "write")).toMatchObject({
      ends: [{ type: "tool_call.failed", error: { code: "OUTCOME_UNKNOWN" } }],
      attempts: [false],
    });
    expect(Object.fromEntries(world.server.calls)).toEqual({ read: 2, write: 1 });
  });
}

describe("a gateway on SQLite that is started again", () => {
  describeResumption({
    async open() {
      const gateway = await GatewayProcess.prepare();
      await gateway.start();
      return [gateway, gateway];
    },
  });

  it("reads the results of calls that a shutdown cuts, because it leaves them to the next process", {
    timeout: 120_000,
  }, async () => {
    const gateway = await GatewayProcess.prepare({ YAGATE_DRAIN_MS: "500" });
    await gateway.start();
    const world = await startCalls(gateway);
    await untilResumable(world);
    // The sync of the source had a session too, and ended it.
    const ended = [...world.server.ended];
    await gateway.end("SIGTERM");
    expect(world.server.ended).toEqual(ended);
    expect(world.server.requests.filter(({ body }) => body.includes("notifications/cancelled"))).toEqual([]);
    await gateway.start();
    world.server.finish();
    for (const tool of TOOLS) {
      const { ends, attempts } = await endOf(gateway, world, tool);
      expect(ends).toMatchObject([{ type: "tool_call.completed", result: `${tool} ran 1 times` }]);
      expect(attempts).toEqual(SENT_ONCE_AND_RESUMED);
    }
  });
});

describe("a source that a person changes before its calls are resumed", () => {
  type Sources = GatewayProcess["client"]["sources"];
  it.each<[string, (sources: Sources, id: string, otherUrl: string) => Promise<unknown>]>([
    ["withdrawn tools", (sources, id) => sources.revoke(id, { tools: TOOLS })],
    ["another URL", (sources, id, url) => sources.update(id, { url })],
    ["a deleted source", (sources, id) => sources.delete(id, { force: true })],
  ])("gets no request with the session: %s", { timeout: 120_000 }, async (_what, change) => {
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    const world = await startCalls(gateway);
    await untilResumable(world);
    const other = await startResumableServer({ tools: TOOLS });
    await change(gateway.client.sources, world.sourceId, other.url);
    const [sent, sentToOther] = [world.server.requests.length, other.requests.length];
    await gateway.kill();
    await gateway.start();
    expect(await endOf(gateway, world, "write")).toMatchObject({
      ends: [{ type: "tool_call.failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } }],
      attempts: SENT_ONCE_AND_RESUMED,
    });
    expect((await endOf(gateway, world, "read")).ends).toMatchObject([{ type: "tool_call.failed" }]);
    expect(world.server.requests.slice(sent)).toEqual([]);
    // The sync of the changed source may list the tools of the other server, but sends no call and no session of the first.
    const later = other.requests.slice(sentToOther);
    expect(later.filter(({ method, body }) => method === "GET" || body.includes("tools/call"))).toEqual([]);
  });
});

describe.skipIf(!hasPostgres())("another replica on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function prepare(): Promise<readonly [GatewayProcess, GatewayProcess]> {
    const environment = {
      DATABASE_URL: await server.createDatabase(),
      YAGATE_SIGNING_SECRET: generateSigningSecret(),
    };
    return [await GatewayProcess.prepare(environment), await GatewayProcess.prepare(environment)];
  }

  it("reads the results once if the replica that resumes the calls freezes, and wakes after they have ended", {
    timeout: 180_000,
  }, async () => {
    const [first, second] = await prepare();
    await first.start();
    const world = await startCalls(first);
    await untilResumable(world);
    await first.kill();
    const resumed = () => world.server.requests.filter(({ headers }) => headers["last-event-id"] !== undefined).length;
    await second.start();
    await expect.poll(resumed, { timeout: 60_000 }).toBe(TOOLS.length);
    second.signal("SIGSTOP");
    await first.start();
    await expect.poll(resumed, { timeout: 60_000 }).toBeGreaterThanOrEqual(2 * TOOLS.length);
    world.server.finish();
    const ends = () => Promise.all(TOOLS.map((tool) => endOf(first, world, tool)));
    const ended = await ends();
    for (const [index, tool] of TOOLS.entries()) {
      expect(ended[index]).toMatchObject({
        ends: [{ type: "tool_call.completed", result: `${tool} ran 1 times` }],
        attempts: [...SENT_ONCE_AND_RESUMED, true],
      });
    }
    second.signal("SIGCONT");
    // The replica is awake, and has handled what it received in the meantime, once it runs an execution of its own.
    await first.kill();
    const agent = await second.client.agents.create({ name: "Awake", model: "scripted/turns" });
    const script = { turns: [{ text: "done" }] };
    const { id } = await second.client.agents.start(agent.id, { input: "go", script });
    expect((await followToEnd(second, id)).at(-1)).toMatchObject({ type: "execution.completed" });
    expect(await Promise.all(TOOLS.map((tool) => endOf(second, world, tool)))).toEqual(ended);
    expect(Object.fromEntries(world.server.calls)).toEqual({ read: 1, write: 1 });
    expect([...first.defects, ...second.defects]).toEqual([]);
  });

  describeResumption({
    async open() {
      const [first, second] = await prepare();
      await first.start();
      const world = await second.start().then(() => [first, second] as const);
      return world;
    },
  });
});
