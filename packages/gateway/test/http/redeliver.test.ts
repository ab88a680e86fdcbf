import {
  auditEntrySchema,
  executionTokenSchema,
  pageSchema,
  redeliverySchema,
  rotatedSigningSecretSchema,
  type ToolCallRecord,
  toolCallRecordSchema,
  verifySignature,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, makeAgent, problemOf, start } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { asking, eventsOf, INTENT, makeShop } from "./support/shop.ts";
import { startWorld, type World } from "./support/world.ts";

const world = await startWorld({ developmentWorkspaces: ["default", "shop"] });
afterAll(() => world.stop());

async function callOf(id: string, key = world.key): Promise<ToolCallRecord> {
  const { body } = await world.call("listToolCalls", { params: { id }, key });
  return pageSchema(toolCallRecordSchema).parse(body).data[0] ?? expect.fail("expected a call");
}

async function called(tool: Parameters<typeof makeAgent>[1], body = calling("work"), at: World = world, key = at.key) {
  const { id } = await makeAgent(at, tool, { key });
  return callOf((await execute(at, id, body, { key })).id, key);
}

const redeliver = (id: string, body: object = {}, key = world.key) =>
  world.call("redeliverToolCall", { params: { id }, body, key });

describe("a redelivery", () => {
  it("has the arguments, the id and the caller of the call, and a new signature", async () => {
    const handler = await startHandler({ body: { result: { status: "packed" } } });
    const script = { turns: [{ toolCalls: [{ name: "work", parameters: { orderId: "ORD-7" } }] }, { text: "done" }] };
    const call = await called({ tools: [workTool(handler.url)] }, { input: "x", script, caller: { user: "u_1" } });
    const { attempt, status, result, notice } = redeliverySchema.parse(expectStatus(await redeliver(call.id), 200));
    expect([status, result]).toEqual(["completed", { status: "packed" }]);
    expect(notice).toContain("same toolCallId");
    const [first, second] = handler.requests.map(({ body }) => body);
    const ofAttempt = { attempt: 2, timestamp: second?.["timestamp"], deadline: second?.["deadline"] };
    expect(second).toEqual({ ...first, ...ofAttempt });
    expect(second).not.toHaveProperty("redelivery");
    expect(attempt).toMatchObject({ number: 2, kind: "redelivery", httpStatus: 200, toolCallId: call.id });
    expect(attempt.response?.body).toContain("packed");
    expect(attempt.request?.headers["X-YA-Signature"]).toBe("[redacted]");
  });

  it("is listed with its call, but not in its execution, and is in the audit log", async () => {
    const handler = await startHandler();
    const call = await called({ tools: [workTool(handler.url)] });
    for (let count = 0; count < 22; count += 1) expectStatus(await redeliver(call.id), 200);
    const record = toolCallRecordSchema.parse((await world.call("getToolCall", { params: { id: call.id } })).body);
    expect(record.attempts).toEqual(call.attempts);
    expect(record.redeliveries?.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 4),
    );
    expect(await callOf(call.executionId)).toEqual(call);
    const { body } = await world.call("listAuditEntries", { query: { resourceId: call.id, limit: "1" } });
    expect(pageSchema(auditEntrySchema).parse(body).data).toMatchObject([
      { action: "tool_call.redelivered", resource: { type: "tool_call" }, after: { url: handler.url } },
    ]);
  });

  it.each<[string, Parameters<typeof makeAgent>[1], ReturnType<typeof calling>]>([
    ["a tool that the gateway runs", { tools: [{ builtin: "calculator" }] }, calling("calculator")],
    ["a tool that the agent does not have", {}, calling("invented")],
  ])("is refused for a call of %s", async (_what, agent, body) => {
    const call = await called(agent, body);
    expect(problemOf(await redeliver(call.id, { confirm: true }))).toMatchObject({ status: 409, code: "CONFLICT" });
  });

  it("is refused for a call that has not ended, and for one with a result from a recording", async () => {
    const handler = await startHandler({ isHeld: true });
    const { id: agent } = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await start(world, agent, calling("work"));
    await handler.called(1);
    const running = await callOf(id);
    expect(problemOf(await redeliver(running.id))).toMatchObject({ status: 409 });
    handler.release();
    const modelTurns = [{ toolCalls: [{ name: "work", parameters: {} }] }, { text: "done" }];
    const argumentsHash = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    const recording = { modelTurns, toolResults: [{ name: "work", argumentsHash, occurrence: 1, result: 1 }] };
    const recorded = await execute(world, agent, { input: "x", recording });
    expect(recorded.status).toBe("completed");
    expect(problemOf(await redeliver((await callOf(recorded.id)).id))).toMatchObject({ status: 409 });
    expect(handler.calls).toHaveLength(1);
  });

  it("says that a write needs a confirmation", async () => {
    const handler = await startHandler();
    const call = await called({ tools: [workTool(handler.url, { sideEffect: "non_idempotent_write" })] });
    expect(problemOf(await redeliver(call.id))).toMatchObject({
      status: 409,
      code: "CONFLICT",
      errors: [{ path: "confirm", code: "CONFIRMATION_REQUIRED" }],
    });
    expect(handler.calls).toHaveLength(1);
  });

  it("is not for the token of the execution", async () => {
    const handler = await startHandler();
    const call = await called({ tools: [workTool(handler.url)] });
    const params = { id: call.executionId };
    const { token } = executionTokenSchema.parse((await world.call("createExecutionToken", { params, body: {} })).body);
    expect((await redeliver(call.id, {}, token)).status).toBe(403);
    expect(handler.calls).toHaveLength(1);
  });
});

describe("a redelivery to another URL", () => {
  it("needs the signing secret for it, and is signed with that alone", async () => {
    const [handler, local] = [await startHandler(), await startHandler()];
    const tool = workTool(handler.url, { sideEffect: "destructive", headers: { "X-Proxy": "production" } });
    const call = await called({ tools: [tool], policy: { approval: "never" } });
    const body = { confirm: true, url: local.url };
    expect(problemOf(await redeliver(call.id, body))).toMatchObject({ errors: [{ code: "SECRET_MISSING" }] });
    const rotated = await world.call("rotateSigningSecret", { body: { name: "redelivery" } });
    const { secret } = rotatedSigningSecretSchema.parse(expectStatus(rotated, 201));
    expect(problemOf(await redeliver(call.id, { url: local.url }))).toMatchObject({ status: 409 });
    expect(local.requests).toEqual([]);

    const { attempt, notice } = redeliverySchema.parse(expectStatus(await redeliver(call.id, body), 200));
    expect([attempt.url, notice]).toEqual([local.url, undefined]);
    expect(handler.calls).toHaveLength(1);
    const [request] = local.requests;
    expect(request?.body).toMatchObject({ toolCallId: call.id, audience: local.url, redelivery: true });
    expect(request?.headers).not.toHaveProperty("x-proxy");
    const bytes = new TextEncoder().encode(JSON.stringify(request?.body));
    await verifySignature(`${request?.headers["x-ya-signature"]}`, bytes, [secret]);
  });

  it("has the name and the arguments of the tool that served an intent, and the result that the capability selects", async () => {
    const [handler, local] = [
      await startHandler({ body: { result: { at: "depot" } } }),
      await startHandler({ body: { result: { at: "desk" } } }),
    ];
    const parameters = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
    const capability = { url: handler.url, tool: { parameters }, args: { query: "${orderId}" }, result: "$.at" };
    // Other files count shops too, so the name of a marked workspace is fixed.
    const { key } = await makeShop(world, [capability], "shop");
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }] }, { key });
    const [event] = await eventsOf(world, { agentId: agent.id, body: asking(), key });
    const { id } = await callOf(event?.executionId ?? "", key);
    expectStatus(await world.call("rotateSigningSecret", { body: { name: "redelivery" }, key }), 201);
    const own = redeliverySchema.parse(expectStatus(await redeliver(id, {}, key), 200));
    const other = redeliverySchema.parse(expectStatus(await redeliver(id, { url: local.url }, key), 200));
    expect([own.result, other.result]).toEqual(["depot", "desk"]);
    const sent = { name: "lookup_a", parameters: { query: "ORD-7" } };
    expect(handler.requests.map(({ body }) => body)).toMatchObject([sent, sent]);
    expect(local.requests.map(({ body }) => body)).toMatchObject([{ ...sent, redelivery: true }]);
  });

  it("is refused in a workspace that is not marked", async () => {
    const { key } = await world.makeWorkspace("production");
    const [handler, local] = [await startHandler(), await startHandler()];
    const call = await called({ tools: [workTool(handler.url)] }, calling("work"), world, key);
    expect(problemOf(await redeliver(call.id, { url: local.url }, key))).toMatchObject({ status: 403 });
    expectStatus(await redeliver(call.id, {}, key), 200);
    expect(local.calls).toEqual([]);
    const { body } = await world.call("listWorkspaces");
    expect(body).toMatchObject({
      data: [
        { name: "production", development: false },
        { name: "shop", development: true },
        { name: "default", development: true },
      ],
    });
  });

  it.each(["ftp://localhost/", "localhost:3000", ""])("is refused for the URL %o", async (url) => {
    expect((await redeliver("tc_01jd3v0c8me9kxt3f6r2p5q7sa", { url })).status).toBe(422);
  });
});
