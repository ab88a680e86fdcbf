import { randomBytes } from "node:crypto";
import { approvalSchema, type ChangeHint, changeHintSchema, pageSchema } from "@yagate/protocol";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { calling, execute, expectStatus, makeAgent, saying, start } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

/** How long a test waits for a hint: long enough for a busy machine. */
const PATIENTLY = { timeout: 20_000, interval: 20 } as const;

/** The hints of an open stream, as they arrive. */
interface Stream {
  readonly hints: readonly ChangeHint[];
  readonly hasEnded: boolean;
}

async function open(world: World, key = world.key): Promise<Stream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(`${world.url}/v1/events`, {
    headers: { authorization: `Bearer ${key}` },
    signal: abort.signal,
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const stream = { hints: [] as ChangeHint[], hasEnded: false };
  void read(response, stream).finally(() => {
    stream.hasEnded = true;
  });
  return stream;
}

async function read({ body }: Response, { hints }: { readonly hints: ChangeHint[] }): Promise<void> {
  let text = "";
  try {
    for await (const chunk of (body ?? expect.fail()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) hints.push(changeHintSchema.parse(JSON.parse(data)));
      }
    }
  } catch {
    // The connection was closed.
  }
}

const typesOf = ({ hints }: Stream, id: string) =>
  [...new Set(hints.filter((hint) => hint.id === id).map(({ type }) => type))].sort();

const SCRIPTED = { model: "scripted/turns" } as const;

describe("changes in the workspace", () => {
  let world: World;
  afterEach(() => world.stop());

  it("are hints with the number of the last event, without data", async () => {
    world = await startWorld();
    const stream = await open(world);
    const handler = await startHandler();
    const { id: agent } = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await execute(world, agent, calling("work"));
    await expect.poll(() => typesOf(stream, id), PATIENTLY).toEqual(["execution.changed", "tool_call.changed"]);
    await expect.poll(() => Math.max(...stream.hints.map(({ seq }) => seq)), PATIENTLY).toBeGreaterThan(5);
    for (const hint of stream.hints) expect(Object.keys(hint).sort()).toEqual(["at", "id", "seq", "type"]);
  });

  it("are those of the key's scopes", async () => {
    world = await startWorld();
    const [executions, approvals] = [await world.makeKey(["executions"]), await world.makeKey(["approvals"])];
    const streams = [await open(world, executions.text), await open(world, approvals.text)] as const;
    const handler = await startHandler();
    const { id: agent } = await makeAgent(world, { tools: [workTool(handler.url)], policy: { approval: "always" } });
    const { id } = await start(world, agent, calling("work"));
    await expect.poll(() => typesOf(streams[1], id), PATIENTLY).toEqual(["approval.changed"]);
    const waiting = async () =>
      pageSchema(approvalSchema).parse(
        expectStatus(await world.call("listApprovals", { query: { status: "pending" } }), 200),
      ).data;
    // Whoever reads after the hint sees what it announced.
    expect((await waiting()).map(({ executionId }) => executionId)).toEqual([id]);
    await expect.poll(() => typesOf(streams[0], id), PATIENTLY).toEqual(["execution.changed", "tool_call.changed"]);
    const neither = await world.makeKey(["agents"]);
    expect(await world.call("followChanges", { key: neither.text })).toMatchObject({ status: 403 });
  });

  it("are those of the key's own workspace, and end with the key", async () => {
    world = await startWorld();
    const other = await world.makeWorkspace("other");
    const key = await world.makeKey(["executions"]);
    const [own, foreign] = [await open(world, key.text), await open(world, other.key)];
    const { id: agent } = await makeAgent(world, SCRIPTED);
    const { id } = await execute(world, agent, saying("Hello."));
    await expect.poll(() => typesOf(own, id), PATIENTLY).toEqual(["execution.changed"]);
    const { id: foreignAgent } = await makeAgent(world, SCRIPTED, { key: other.key });
    const ofOther = await execute(world, foreignAgent, saying("Hello."), { key: other.key });
    await expect.poll(() => typesOf(foreign, ofOther.id), PATIENTLY).toEqual(["execution.changed"]);
    expect(foreign.hints.every((hint) => hint.id === ofOther.id)).toBe(true);
    expect(own.hints.every((hint) => hint.id === id)).toBe(true);
    expectStatus(await world.call("deleteApiKey", { params: { id: key.id } }), 204);
    await expect.poll(() => own.hasEnded, PATIENTLY).toBe(true);
    expect(foreign.hasEnded).toBe(false);
  });
});

describe.skipIf(!hasPostgres())("changes in the workspace, with two replicas", () => {
  it("arrive on each replica", async () => {
    const databaseUrl = await createMigratedDatabase();
    const masterKeys = `k1:${randomBytes(32).toString("base64")}`;
    const config = { databaseUrl, masterKeys, apiKey: `yk_${randomBytes(32).toString("base64url")}` };
    const first = await startWorld(config);
    onTestFinished(() => first.stop());
    const second = await startWorld(config);
    onTestFinished(() => second.stop());
    const stream = await open(second);
    const handler = await startHandler();
    const { id: agent } = await makeAgent(first, { tools: [workTool(handler.url)], policy: { approval: "always" } });
    const { id } = await start(first, agent, calling("work"));
    await expect
      .poll(() => typesOf(stream, id), PATIENTLY)
      .toEqual(["approval.changed", "execution.changed", "tool_call.changed"]);
  });
});
