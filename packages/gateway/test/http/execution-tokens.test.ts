import { request } from "node:http";
import {
  type ExecutionToken,
  executionTokenSchema,
  pageSchema,
  scopeSchema,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { calling, execute, expectStatus, makeAgent, problemOf, saying, start } from "./support/agents.ts";
import type { Call } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
const failing = await startHandler({ status: 500, body: { error: { code: "BROKEN", message: "it broke" } } });
afterAll(() => world.stop());

const large = await startHandler({ body: { result: "x".repeat(60_000) } });
const agent = await makeAgent(world, { tools: [workTool(failing.url), workTool(large.url, { name: "large" })] });
const maker = await world.makeKey(["executions"]);

/** An execution with an artifact, whose failed call is held for an answer. */
async function hold(key = maker.text) {
  const toolCalls = ["large", "work"].map((name) => ({ name, parameters: {} }));
  const script = { turns: [{ toolCalls: toolCalls.slice(0, 1) }, { toolCalls: toolCalls.slice(1) }, { text: "done" }] };
  const body = { ...calling("work", { fallback: { waitMs: 600_000 } }), script };
  const { id } = await start(world, agent.id, body, { key });
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data } = await reader.until("tool_call.failed");
  await reader.leave();
  if (data.type !== "tool_call.failed") throw new Error("expected a failed call");
  const { body: calls } = await world.call("listToolCalls", { params: { id }, key });
  const artifactId = pageSchema(toolCallRecordSchema).parse(calls).data[0]?.artifactId ?? "";
  return { id, toolCallId: data.toolCallId, artifactId };
}

async function tokenFor(id: string, body?: object, key = maker.text): Promise<ExecutionToken> {
  const answer = await world.call("createExecutionToken", {
    params: { id },
    key,
    ...(body === undefined ? {} : { body }),
  });
  return executionTokenSchema.parse(expectStatus(answer, 201));
}

const held = await hold();
const other = await hold();
const { token } = await tokenFor(held.id);

/** Operations that a token opens, for its own execution; a new route is closed to tokens unless it is named here. */
const opened: Readonly<Record<string, (execution: typeof held) => Call>> = {
  getExecution: ({ id }) => ({ params: { id } }),
  followExecution: ({ id }) => ({ params: { id }, headers: { "last-event-id": "2" } }),
  listToolCalls: ({ id }) => ({ params: { id } }),
  getToolCall: ({ toolCallId }) => ({ params: { id: toolCallId } }),
  getArtifact: ({ artifactId }) => ({ params: { id: artifactId } }),
  answerFallback: ({ toolCallId }) => ({ params: { id: toolCallId }, body: { result: "by a token" } }),
};
const closed = world.operations.filter(({ name, scopes }) => scopes !== null && !(name in opened));

describe("making a token", () => {
  it("takes no body: it lasts for 15 minutes", async () => {
    const before = Date.now();
    const made = await tokenFor(held.id);
    expect(made).toMatchObject({ executionId: held.id, token: expect.stringMatching(/^yt_[\w-]+\.[\w-]+\.[\w-]+$/) });
    const lastsMs = Date.parse(made.expiresAt) - before;
    expect(lastsMs).toBeGreaterThanOrEqual(900_000);
    expect(lastsMs).toBeLessThan(910_000);
  });

  it.each<[unknown, number, string | undefined]>([
    [{}, 201, undefined],
    [{ expiresInSeconds: 1 }, 201, undefined],
    [{ expiresInSeconds: 3_600 }, 201, undefined],
    [{ expiresInSeconds: 0 }, 422, "expiresInSeconds"],
    [{ expiresInSeconds: 3_601 }, 422, "expiresInSeconds"],
    [{ expiresInSeconds: 1.5 }, 422, "expiresInSeconds"],
    [{ expiresInSeconds: "60" }, 422, "expiresInSeconds"],
    [{ expiresIn: 60 }, 422, "expiresIn"],
    [[], 422, ""],
  ])("with %j is answered %i", async (body, status, path) => {
    const answer = await world.call("createExecutionToken", { params: { id: held.id }, body });
    expect(answer.status).toBe(status);
    if (path !== undefined) expect(problemOf(answer).errors?.map((error) => error.path)).toEqual([path]);
  });

  it("works for an execution that has ended, whoever started it", async () => {
    const ended = await execute(world, agent.id, saying("done"));
    const made = await tokenFor(ended.id);
    const reader = new EventReader(await world.open("followExecution", { params: { id: ended.id }, key: made.token }));
    expect((await reader.all()).at(-1)?.data).toMatchObject({ type: "execution.completed" });
  });
});

describe("a token opens", () => {
  it.each(Object.entries(opened))("%s of its own execution", async (name, callOf) => {
    const execution = await hold();
    const own = await tokenFor(execution.id);
    const response = await world.open(name, { ...callOf(execution), key: own.token });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it.each(Object.entries(opened))(
    "%s of another execution no more than of one that nobody has",
    async (name, callOf) => {
      const foreign = await world.call(name, { ...callOf(other), key: token });
      const nobodys = {
        id: "exec_01m7yj864ke00brb1mkxjenfhm",
        toolCallId: "tc_01m7yj864ke00brb1mkxjenfhm",
        artifactId: "art_01m7yj864ke00brb1mkxjenfhm",
      };
      const unknown = await world.call(name, { ...callOf(nobodys), key: token });
      expect(problemOf(foreign)).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect({ ...problemOf(foreign), requestId: "" }).toEqual({ ...problemOf(unknown), requestId: "" });
    },
  );

  it.each(closed.map(({ name, method }) => [name, method]))("not %s", async (name, method) => {
    const answer = await world.call(name, {
      key: token,
      params: { id: name.includes("Agent") ? agent.id : held.id },
      ...(method === "get" || method === "delete" ? {} : { body: {} }),
    });
    expect(problemOf(answer)).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
      detail: expect.stringMatching(/^expected (an API key, not an execution token|a key with the scope)/),
    });
  });

  it("no more, although its maker may do everything", async () => {
    const mighty = await tokenFor(held.id, {}, world.key);
    for (const { name } of closed) {
      const answer = await world.call(name, { key: mighty.token, params: { id: held.id } });
      expect({ name, ...problemOf(answer) }).toMatchObject({ name, status: 403 });
    }
    expect((await world.call("getExecution", { params: { id: other.id }, key: mighty.token })).status).toBe(404);
  });
});

describe("an execution's calls, seen with its token,", () => {
  it("are its own", async () => {
    const { body } = await world.call("listToolCalls", { params: { id: held.id }, key: token });
    const { data } = pageSchema(toolCallRecordSchema).parse(body);
    expect(data).toMatchObject([{ name: "large" }, { id: held.toolCallId, status: "waiting_fallback" }]);
  });

  it("do not show what was sent and what came back", async () => {
    const { body } = await world.call("getToolCall", { params: { id: held.toolCallId }, key: token });
    const id = toolCallRecordSchema.parse(body).attempts[0]?.id ?? "";
    expect((await world.call("getAttempt", { params: { id } })).status).toBe(200);
    expect((await world.call("getAttempt", { params: { id }, key: token })).status).toBe(403);
  });
});

describe("a fallback by token", () => {
  const answer = async (execution: typeof held, key: string) =>
    world.call("answerFallback", { params: { id: execution.toolCallId }, body: { result: 7 }, key });

  it("counts as one of the key that started the execution, if that made the token", async () => {
    const execution = await hold();
    const made = await tokenFor(execution.id);
    expect((await answer(execution, made.token)).status).toBe(200);
    const events = await world.open("followExecution", { params: { id: execution.id }, key: made.token });
    const reader = new EventReader(events);
    await reader.until("fallback.received");
    const { data } = await reader.until("tool_call.completed");
    expect(data).toMatchObject({ via: "fallback", result: 7 });
  });

  it("is refused where its maker would be: another key started the execution", async () => {
    const execution = await hold();
    const stranger = await world.makeKey(["executions"]);
    const made = await tokenFor(execution.id, {}, stranger.text);
    expect(problemOf(await answer(execution, made.token))).toMatchObject({ status: 403, code: "FORBIDDEN" });
    expect((await world.call("getToolCall", { params: { id: execution.toolCallId } })).body).toMatchObject({
      status: "waiting_fallback",
    });
  });

  it("is taken where its maker has the scope fallback", async () => {
    const execution = await hold();
    const helper = await world.makeKey(["executions", "fallback"]);
    expect((await answer(execution, (await tokenFor(execution.id, {}, helper.text)).token)).status).toBe(200);
  });

  it("changes nothing of another execution", async () => {
    expect((await answer(other, token)).status).toBe(404);
    expect((await world.call("getToolCall", { params: { id: other.toolCallId } })).body).toMatchObject({
      status: "waiting_fallback",
    });
  });
});

describe("a token that", () => {
  it("another workspace made opens nothing here", async () => {
    const tenant = await world.makeWorkspace("tenant");
    const own = await makeAgent(world, {}, { key: tenant.key });
    const execution = await start(world, own.id, saying("hi"), { key: tenant.key });
    const made = await tokenFor(execution.id, {}, tenant.key);
    expect((await world.call("getExecution", { params: { id: execution.id }, key: made.token })).status).toBe(200);
    expect((await world.call("getExecution", { params: { id: held.id }, key: made.token })).status).toBe(404);
    expect((await world.call("getToolCall", { params: { id: held.toolCallId }, key: made.token })).status).toBe(404);
  });

  it("was made with a key that was deleted since is refused at once", async () => {
    const shortLived = await world.makeKey(scopeSchema.options);
    const made = await tokenFor(held.id, {}, shortLived.text);
    expect((await world.call("getExecution", { params: { id: held.id }, key: made.token })).status).toBe(200);
    expect((await world.call("deleteApiKey", { params: { id: shortLived.id } })).status).toBe(204);
    expect(problemOf(await world.call("getExecution", { params: { id: held.id }, key: made.token }))).toMatchObject({
      status: 401,
      code: "UNAUTHENTICATED",
      hint: expect.stringContaining("POST /v1/executions/:id/tokens"),
    });
  });

  it("was made with a key that is deleted loses its open stream at once, and no other key does", async () => {
    const execution = await hold();
    const deleted = await world.makeKey(["executions"]);
    const made = await tokenFor(execution.id, {}, deleted.text);
    const follow = async (key: string) => {
      const reader = new EventReader(await world.open("followExecution", { params: { id: execution.id }, key }));
      await reader.until("execution.waiting");
      return reader;
    };
    const ending = [await follow(made.token), await follow(deleted.text)];
    const staying = await follow(maker.text);
    expect((await world.call("deleteApiKey", { params: { id: deleted.id } })).status).toBe(204);
    expect(await Promise.all(ending.map((reader) => reader.all()))).toEqual([[], []]);
    expect((await world.call("cancelExecution", { params: { id: execution.id } })).status).toBe(202);
    expect((await staying.all()).at(-1)?.data).toMatchObject({ type: "execution.cancelled" });
  });

  it("is changed is refused, and its refusal does not repeat it", async () => {
    const planted = `${token.slice(0, -6)}planted`;
    const answer = await world.call("getExecution", { params: { id: held.id }, key: planted });
    expect(problemOf(answer)).toMatchObject({ status: 401, detail: "expected a valid execution token" });
    expect(JSON.stringify(answer.body)).not.toMatch(/planted|eyJ/);
  });

  it("has a megabyte is refused before anybody reads it", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { authorization: `Bearer ${token}${"A".repeat(1_048_576)}` };
    const sent = request(`${world.url}/v1/executions/${held.id}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    // The server may hang up before all of it was sent.
    sent.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EPIPE" || error.code === "ECONNRESET" ? resolve(431) : reject(error),
    );
    sent.end();
    expect(await promise).toBe(431);
  });

  it("stands in the address is none", async () => {
    const response = await fetch(`${world.url}/v1/executions/${held.id}?access_token=${token}`);
    expect(response.status).toBe(401);
  });

  it("runs out ends the stream that it opened, and opens no other", async () => {
    const execution = await hold();
    const made = await tokenFor(execution.id, { expiresInSeconds: 3 });
    const follow = () => world.open("followExecution", { params: { id: execution.id }, key: made.token });
    const messages = await new EventReader(await follow()).all();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(made.expiresAt) - 5);
    expect(messages.at(-1)?.data).toMatchObject({ type: "execution.waiting" });
    const again = await follow();
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ code: "UNAUTHENTICATED", detail: "the execution token has expired" });
  });
});

const operationSchema = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

it("the document says which operations a token opens", async () => {
  const { paths } = documentSchema.parse(await (await fetch(`${world.url}/openapi.json`)).json());
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const named = operations.filter(({ security }) => security.some((way) => "executionToken" in way));
  expect(named.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(opened).sort());
});
