import { generateSigningSecret } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  askForColour,
  complete,
  type ServedTask,
  startTaskServer,
  type TaskServer,
} from "../../packages/mcp/test/client/support/task-server.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const ANSWERS = { colour: { action: "accept", content: { colour: "green" } } } as const;

/** Starts an execution whose one call becomes a task, and waits until the gateway has asked about the task. */
async function startTask({ client }: GatewayProcess, server: TaskServer) {
  const source = await client.sources.create({ name: "slow", kind: "mcp", url: server.url, accept: "all" });
  const tools = [{ source: source.id }];
  const agent = await client.agents.create({ name: "A", model: "scripted/turns", tools, policy: { network: true } });
  const turns = [{ toolCalls: [{ name: "slow.work", parameters: {} }] }, { text: "done" }];
  const { id } = await client.agents.start(agent.id, { input: "go", script: { turns } });
  await server.answered("tasks/get");
  return { id, task: onlyTask(server) };
}

function onlyTask({ tasks }: TaskServer): ServedTask {
  const [task] = tasks.values();
  if (task === undefined || tasks.size > 1) throw new Error("expected one task");
  return task;
}

const countOf = ({ methods }: TaskServer, method: string) => methods.filter((each) => each === method).length;

describe("a task of an MCP server", () => {
  it("is followed by the process after a kill, and its tool is not called again", { timeout: 120_000 }, async () => {
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    const server = await startTaskServer();
    const { id, task } = await startTask(gateway, server);
    await gateway.kill();
    complete(task, "worked");
    const polled = countOf(server, "tasks/get");
    await gateway.start();
    const events = await followToEnd(gateway, id);
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_call.completed", result: "worked" }));
    expect(countOf(server, "tools/call")).toBe(1);
    expect(countOf(server, "tasks/get")).toBe(polled + 1);
    expect(events.filter(({ type }) => type === "attempt.started" || type === "task.created")).toHaveLength(2);
    expect(gateway.defects).toEqual([]);
  });

  it("gets the answers of a person once, although the gateway is killed around them", {
    timeout: 120_000,
  }, async () => {
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    // The first answers arrive, but their acknowledgement does not.
    let lost = 1;
    const server = await startTaskServer({
      change: (method, result) => (method === "tasks/update" && lost-- > 0 ? undefined : result),
    });
    const { id, task } = await startTask(gateway, server);
    askForColour(task);
    const { client } = gateway;
    const requests = client.inputRequests;
    const pending = await until(async () => {
      const [first] = await requests.list({ status: "pending" }).toArray();
      return first;
    });
    await gateway.kill();
    await gateway.start();
    await requests.answer(pending.toolCallId, { round: 1, answers: ANSWERS });
    await server.answered("tasks/update");
    await gateway.kill();
    const asked = countOf(server, "tasks/get");
    await gateway.start();
    await server.answered("tasks/get", asked + 1);
    complete(task, "painted");
    const events = await followToEnd(gateway, id);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_call.completed", result: "painted" }));
    expect(events.filter(({ type }) => type === "input.requested" || type === "input.delivered")).toHaveLength(2);
    expect(server.updates).toEqual([ANSWERS]);
    expect(countOf(server, "tools/call")).toBe(1);
    expect(gateway.defects).toEqual([]);
  });

  it("has an unknown outcome if the kill cuts its creation", { timeout: 120_000 }, async () => {
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    const server = await startTaskServer({
      change: (method, result) => (method === "tools/call" ? undefined : result),
    });
    const { client } = gateway;
    const overrides = { work: { sideEffect: "non_idempotent_write", retries: 3 } } as const;
    const source = await client.sources.create({ name: "s", kind: "mcp", url: server.url, accept: "all", overrides });
    const tools = [{ source: source.id }];
    const agent = await client.agents.create({ name: "A", model: "scripted/turns", tools, policy: { network: true } });
    const turns = [{ toolCalls: [{ name: "s.work", parameters: {} }] }, { text: "done" }];
    const { id } = await client.agents.start(agent.id, { input: "go", script: { turns } });
    await server.answered("tools/call");
    await gateway.kill();
    await gateway.start();
    const events = await followToEnd(gateway, id);
    const error = expect.objectContaining({ code: "OUTCOME_UNKNOWN" });
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_call.failed", error }));
    expect(countOf(server, "tools/call")).toBe(1);
  });
});

describe.skipIf(!hasPostgres())("a task of an MCP server, with two replicas", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  it("is followed by the other replica after a kill", { timeout: 180_000 }, async () => {
    const databaseUrl = await postgres.createDatabase();
    const signingSecret = generateSigningSecret();
    const prepare = () => GatewayProcess.prepare({ DATABASE_URL: databaseUrl, YAGATE_SIGNING_SECRET: signingSecret });
    const [first, second] = [await prepare(), await prepare()];
    await first.start();
    const server = await startTaskServer();
    const { id, task } = await startTask(first, server);
    await second.start();
    await first.kill();
    complete(task, "worked");
    const events = await followToEnd(second, id);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_call.completed", result: "worked" }));
    expect(events.filter(({ type }) => type === "attempt.started")).toHaveLength(1);
    expect(countOf(server, "tools/call")).toBe(1);
    expect(second.defects).toEqual([]);
  });
});

/** Asks again until there is a value. */
async function until<Value>(read: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await read().catch(() => undefined);
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
