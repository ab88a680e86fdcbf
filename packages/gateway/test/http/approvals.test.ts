import {
  type Approval,
  approvalSchema,
  type CreateExecution,
  executionSchema,
  pageSchema,
  type ToolCallRecord,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, expectStatus, fieldsOf, makeAgent, problemOf, start } from "./support/agents.ts";
import type { Answer } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

const world = await startWorld();
const starter = await world.makeKey(["executions"]);
const approver = await world.makeKey(["approvals"]);
afterAll(() => world.stop());

const parameters = {
  type: "object",
  properties: { orderId: { type: "string" }, amount: { type: "number", maximum: 100 } },
  additionalProperties: false,
};

/** An agent with a tool that asks, and one that does not; both work at the same handler. */
async function makeShop(on: World = world) {
  const handler = await startHandler();
  const refund = workTool(handler.url, { name: "refund", sideEffect: "destructive", parameters });
  const look = workTool(handler.url, { name: "look" });
  const agent = await makeAgent(on, { name: "Desk", tools: [refund, look, { builtin: "calculator" }] });
  return { handler, agent };
}

interface AskedCall {
  readonly name: string;
  readonly parameters: Record<string, string | number>;
}

/** An execution whose calls were asked for, and that waits for what people say. */
async function ask(calls: readonly AskedCall[], { on = world, key = starter.text, caller = {} } = {}) {
  const shop = await makeShop(on);
  const body: CreateExecution = {
    input: "Refund ORD-7, please.",
    caller,
    script: { turns: [{ toolCalls: calls.map((call) => ({ ...call })) }, { text: "done" }] },
  };
  const { id } = await start(on, shop.agent.id, body, { key });
  const reader = new EventReader(await on.open("followExecution", { params: { id } }));
  await reader.until("execution.waiting");
  const approvals = pageSchema(approvalSchema)
    .parse((await on.call("listApprovals", { query: { limit: "200" } })).body)
    .data.filter(({ executionId }) => executionId === id)
    .toReversed();
  const read = async () => executionSchema.parse((await on.call("getExecution", { params: { id } })).body);
  return {
    ...shop,
    id,
    approvals,
    read,
    calls: async (): Promise<readonly ToolCallRecord[]> =>
      pageSchema(toolCallRecordSchema).parse((await on.call("listToolCalls", { params: { id } })).body).data,
    async end() {
      const messages = await reader.all();
      return { execution: await read(), types: messages.map(({ data }) => data.type) };
    },
  };
}

const REFUND: AskedCall = { name: "refund", parameters: { orderId: "ORD-7", amount: 30 } };

async function askOne(...rest: Parameters<typeof ask> extends [unknown, ...infer Rest] ? Rest : never) {
  const asked = await ask([REFUND], ...rest);
  const [approval] = asked.approvals;
  if (approval === undefined) throw new Error("expected that somebody is asked");
  return { ...asked, approval };
}

const approve = (id: string, body?: object, key = approver.text, on = world) =>
  on.call("approve", { params: { id }, key, ...(body === undefined ? {} : { body }) });
const deny = (id: string, body?: object, key = approver.text, on = world) =>
  on.call("deny", { params: { id }, key, ...(body === undefined ? {} : { body }) });
const read = async (id: string): Promise<Approval> =>
  approvalSchema.parse(expectStatus(await world.call("getApproval", { params: { id }, key: approver.text }), 200));

describe("a call that asks", () => {
  it("waits, and so does its execution; nothing is sent", async () => {
    const asked = await askOne();
    expect(await asked.read()).toMatchObject({ status: "waiting" });
    const { id, expiresAt } = asked.approval;
    expect(await asked.calls()).toMatchObject([
      { status: "waiting_approval", attempts: [], approval: { id, expiresAt, status: "pending", resolution: null } },
    ]);
    expect(asked.handler.calls).toEqual([]);
    const sevenDays = Date.parse(asked.approval.requestedAt) + 604_800_000;
    expect(Date.parse(expiresAt)).toBe(sevenDays);
  });

  it("shows whoever approves exactly what is then sent", async () => {
    const asked = await askOne({ caller: { userId: "u_1" } });
    const { approval, handler } = asked;
    expect(approval).toMatchObject({
      status: "pending",
      agentId: asked.agent.id,
      agentVersion: 1,
      agentName: "Desk",
      tool: { name: "refund", kind: "handler", sideEffect: "destructive", risk: "destructive" },
      policyReason: 'the approval mode "destructive" requires approval for tools of risk class destructive',
      parameters: REFUND.parameters,
      inputPreview: "Refund ORD-7, please.",
      resolution: null,
    });
    expectStatus(await approve(approval.id), 200);
    await asked.end();
    const [sent] = handler.requests;
    const { attempt, timestamp, deadline, ...lasting } = sent?.body ?? {};
    expect([attempt, timestamp, deadline]).not.toContain(undefined);
    expect(JSON.parse(approval.request?.body ?? "")).toEqual(lasting);
    expect(approval.request).toMatchObject({ method: "POST", url: handler.url, signingSecret: "default" });
    for (const [name, value] of Object.entries(approval.request?.headers ?? {})) {
      expect(sent?.headers[name.toLowerCase()]).toEqual(value.startsWith("[") ? expect.any(String) : value);
    }
    expect(JSON.stringify(approval)).not.toMatch(/sha256=|v1,/);
  });

  it("goes to the place that its host's punycode names", async () => {
    const on = await startWorld({ allowPorts: [443] });
    try {
      const tools = [workTool("https://pаypal.example/refund", { approval: "always" })];
      const agent = await makeAgent(on, { tools });
      const { id } = await start(on, agent.id, calling("work"));
      await new EventReader(await on.open("followExecution", { params: { id } })).until("execution.waiting");
      const { body } = await on.call("listApprovals");
      expect(body).toMatchObject({ data: [{ request: { url: "https://xn--pypal-4ve.example/refund" } }] });
    } finally {
      await on.stop();
    }
  });

  it("shows invisible characters of names, texts and input, of which it shows the first 500", async () => {
    const handler = await startHandler();
    const refund = workTool(handler.url, { name: "refund", sideEffect: "destructive", parameters });
    const tools = [{ ...refund, description: "Refunds\u200b money." }];
    const agent = await makeAgent(world, { name: "Desk\u202e", tools });
    const input = `\u202e${"x".repeat(498)}😀 and more`;
    const { id } = await start(world, agent.id, { input, script: { turns: [{ toolCalls: [{ ...REFUND }] }] } });
    await new EventReader(await world.open("followExecution", { params: { id } })).until("execution.waiting");
    const listed = pageSchema(approvalSchema).parse((await world.call("listApprovals")).body).data;
    expect(listed.find(({ executionId }) => executionId === id)).toMatchObject({
      agentName: "Desk\\u202e",
      tool: { description: "Refunds\\u200b money." },
      inputPreview: `\\u202e${"x".repeat(498)}😀…`,
    });
  });

  it("shows what can't be seen", async () => {
    const asked = await ask([{ name: "refund", parameters: { orderId: "ORD-7\u202e\u200b01" } }]);
    const [approval] = asked.approvals;
    expect(approval?.request?.body).toContain("ORD-7\\u202e\\u200b01");
    expect(JSON.parse(approval?.request?.body ?? "")).toMatchObject({ parameters: { orderId: "ORD-7\u202e\u200b01" } });
  });

  it("is not held up by calls that ask nobody, nor they by it", async () => {
    const asked = await ask([REFUND, { name: "look", parameters: {} }]);
    expect(asked.handler.requests.map(({ body }) => body["name"])).toEqual(["look"]);
    expect((await asked.calls()).map(({ status }) => status)).toEqual(["waiting_approval", "completed"]);
  });

  it("may run inside the gateway", async () => {
    const agent = await makeAgent(world, { policy: { approval: "always" }, tools: [{ builtin: "calculator" }] });
    const turns = [{ toolCalls: [{ name: "calculator", parameters: { expression: "6*7" } }] }, { text: "done" }];
    const { id } = await start(world, agent.id, { input: "hello", script: { turns } }, { key: starter.text });
    const reader = new EventReader(await world.open("followExecution", { params: { id } }));
    const { data } = await reader.until("approval.requested");
    if (data.type !== "approval.requested") throw new Error("expected a question");
    expect(await read(data.approvalId)).toMatchObject({ request: null, parameters: { expression: "6*7" } });
    expectStatus(await approve(data.approvalId, { parameters: { expression: "6*8" } }), 200);
    const { data: completed } = await reader.until("tool_call.completed");
    expect(completed).toMatchObject({ result: { value: 48 } });
  });
});

describe("an approval", () => {
  it("lets the call run, and says who gave it", async () => {
    const asked = await askOne();
    const answer = await approve(asked.approval.id, { comment: "the customer asked" });
    const resolution = { keyId: approver.id, comment: "the customer asked", at: expect.any(String) };
    expect(answer).toMatchObject({ status: 200, body: { status: "approved", resolution } });
    const { execution, types } = await asked.end();
    expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
    expect(types.slice(0, 2)).toEqual(["approval.resolved", "attempt.started"]);
    expect(asked.handler.calls).toHaveLength(1);
    expect(await asked.calls()).toMatchObject([
      { status: "completed", via: "handler", approval: { status: "approved", resolution } },
    ]);
    expect(await read(asked.approval.id)).toEqual(answer.body);
  });

  it("sends the arguments that whoever approves wrote", async () => {
    const asked = await askOne();
    const edited = { orderId: "ORD-7", amount: 12 };
    const answer = await approve(asked.approval.id, { parameters: edited });
    expect(answer.body).toMatchObject({ parameters: REFUND.parameters, resolution: { parameters: edited } });
    await asked.end();
    expect(asked.handler.requests).toMatchObject([{ body: { parameters: edited } }]);
    expect(await asked.calls()).toMatchObject([
      { parameters: edited, approval: { requestedParameters: REFUND.parameters, resolution: { parameters: edited } } },
    ]);
  });

  it.each<[string, object, RegExp]>([
    ["of a wrong type", { orderId: 7 }, /orderId/],
    ["out of range", { orderId: "ORD-7", amount: 101 }, /amount/],
    ["that the tool does not know", { orderId: "ORD-7", all: true }, /all/],
  ])("takes no arguments %s, and stays open", async (_what, edited, words) => {
    const asked = await askOne();
    const answer = await approve(asked.approval.id, { parameters: edited });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(fieldsOf(answer)).toEqual([expect.stringMatching(words)]);
    expect(await read(asked.approval.id)).toEqual(asked.approval);
    expect((await approve(asked.approval.id)).status).toBe(200);
  });

  it("is nothing that reading could give", async () => {
    const asked = await askOne();
    await read(asked.approval.id);
    await world.call("listApprovals", { query: { status: "pending" } });
    expect(await read(asked.approval.id)).toEqual(asked.approval);
    expect(asked.handler.calls).toEqual([]);
  });
});

it("an approval opens no endpoint that was disabled in between", async () => {
  const gone = await startHandler({ status: 410, body: undefined });
  const tools = [workTool(gone.url, { name: "refund", approval: "always" }), workTool(gone.url, { name: "look" })];
  const agent = await makeAgent(world, { tools });
  const toolCalls = ["refund", "look"].map((name) => ({ name, parameters: {} }));
  const body = { input: "hello", script: { turns: [{ toolCalls }, { text: "done" }] } };
  const { id } = await start(world, agent.id, body, { key: starter.text });
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data } = await reader.until("approval.requested");
  await reader.until("execution.waiting");
  expectStatus(await approve(data.type === "approval.requested" ? data.approvalId : ""), 200);
  const { data: failed } = await reader.until("tool_call.failed");
  expect(failed).toMatchObject({ error: { code: "ENDPOINT_DISABLED", toolName: "refund" } });
  expect(gone.calls).toHaveLength(1);
});

it("many executions that wait go on, each once, whatever people say at the same time", async () => {
  const asked = await Promise.all(Array.from({ length: 40 }, () => askOne()));
  const answers = await Promise.all(
    asked.flatMap(({ approval: { id } }, index) => [
      approve(id),
      ...(index % 2 === 0 ? [deny(id)] : []),
      ...(index % 4 === 1 ? [approve(id, { parameters: { orderId: "ORD-8" } })] : []),
    ]),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
  for (const { end, handler, approval } of asked) {
    expect((await end()).execution.status).toBe("completed");
    const { status, resolution } = await read(approval.id);
    expect(handler.requests.map(({ body: { parameters: sent } }) => sent)).toEqual(
      status === "approved" ? [resolution?.parameters ?? REFUND.parameters] : [],
    );
  }
});

describe("a denial", () => {
  it("ends the call with its reason, which the model reads", async () => {
    const asked = await askOne();
    const answer = await deny(asked.approval.id, { reason: "it has left already" });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "denied", resolution: { keyId: approver.id, reason: "it has left already" } },
    });
    const { execution, types } = await asked.end();
    expect(execution.status).toBe("completed");
    expect(types.slice(0, 2)).toEqual(["approval.resolved", "tool_call.denied"]);
    expect(asked.handler.calls).toEqual([]);
    expect(await asked.calls()).toMatchObject([
      {
        status: "denied",
        blocked: true,
        blockReason: "approval_denied",
        error: {
          code: "APPROVAL_DENIED",
          message: "a person denied this call: it has left already",
          outcome: "none",
          retryable: false,
        },
      },
    ]);
  });
});

describe("an answer", () => {
  const both: readonly [string, (id: string) => Promise<Answer>][] = [
    ["approve", (id) => approve(id)],
    ["deny", (id) => deny(id)],
    ["approve with different arguments", (id) => approve(id, { parameters: { orderId: "ORD-8" } })],
  ];

  it.each(both.flatMap(([first, one]) => both.map(([then, other]) => [first, then, one, other] as const)))(
    "counts once: %s, then %s",
    async (_first, _then, one, other) => {
      const asked = await askOne();
      expect((await one(asked.approval.id)).status).toBe(200);
      const stands = await read(asked.approval.id);
      const detail = `this approval cannot be decided: it is ${stands.status}`;
      expect(problemOf(await other(asked.approval.id))).toMatchObject({ status: 409, code: "CONFLICT", detail });
      expect(await read(asked.approval.id)).toEqual(stands);
      await asked.end();
      expect(asked.handler.calls.length).toBe(stands.status === "approved" ? 1 : 0);
    },
  );

  it("is one of those that come at once", async () => {
    const asked = await askOne();
    const { id } = asked.approval;
    const answers = await Promise.all([approve(id), deny(id), approve(id), deny(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { status } = await read(id);
    for (const late of answers.filter((answer) => answer.status === 409)) {
      expect(problemOf(late).detail).toBe(`this approval cannot be decided: it is ${status}`);
    }
    await asked.end();
    expect(asked.handler.calls.length).toBe((await read(id)).status === "approved" ? 1 : 0);
  });

  it("is one for each call of a turn, in any order; results stand in the order of the calls", async () => {
    const orders = ["ORD-1", "ORD-2", "ORD-3"];
    const asked = await ask(orders.map((orderId) => ({ name: "refund", parameters: { orderId } })));
    const [first, second, third] = asked.approvals;
    expect(asked.approvals.map(({ parameters: of }) => of)).toEqual(orders.map((orderId) => ({ orderId })));
    expectStatus(await approve(third?.id ?? ""), 200);
    await asked.handler.called(1);
    expect(await asked.read()).not.toMatchObject({ status: "completed" });
    expectStatus(await deny(first?.id ?? ""), 200);
    expectStatus(await approve(second?.id ?? ""), 200);
    const { types } = await asked.end();
    expect(types.filter((type) => type === "model.requested")).toHaveLength(1);
    expect((await asked.calls()).map(({ status }) => status)).toEqual(["denied", "completed", "completed"]);
    expect(asked.handler.requests.map(({ body }) => body["parameters"])).toEqual([
      { orderId: "ORD-3" },
      { orderId: "ORD-2" },
    ]);
  });

  it("comes too late once the execution is cancelled", async () => {
    const asked = await askOne();
    await world.call("cancelExecution", { params: { id: asked.id } });
    const { execution, types } = await asked.end();
    expect(execution.status).toBe("cancelled");
    expect(types).toEqual([
      "execution.cancel_requested",
      "approval.resolved",
      "tool_call.failed",
      "execution.cancelled",
    ]);
    expect(await read(asked.approval.id)).toMatchObject({
      status: "cancelled",
      resolution: { at: expect.any(String) },
    });
    for (const answer of [await approve(asked.approval.id), await deny(asked.approval.id)]) {
      expect(problemOf(answer)).toMatchObject({ status: 409, code: "CONFLICT" });
    }
    expect(asked.handler.calls).toEqual([]);
  });

  it("comes too late when its time is over", async () => {
    const on = await startWorld({ approvalExpiryMs: 100 });
    try {
      const asked = await ask([REFUND], { on, key: on.key });
      const { execution } = await asked.end();
      expect(execution.status).toBe("completed");
      expect(await asked.calls()).toMatchObject([
        { status: "denied", blockReason: "approval_expired", approval: { status: "expired" } },
      ]);
      const key = (await on.makeKey(["approvals"])).text;
      const answer = await approve(asked.approvals[0]?.id ?? "", undefined, key, on);
      expect(problemOf(answer)).toMatchObject({
        status: 409,
        detail: "this approval cannot be decided: it is expired",
      });
      expect(asked.handler.calls).toEqual([]);
    } finally {
      await on.stop();
    }
  });
});

describe("the key that started the execution", () => {
  it("may not approve, whatever its scopes", async () => {
    const { text } = await world.makeKey(["executions", "approvals"]);
    const asked = await askOne({ key: text });
    expect(problemOf(await approve(asked.approval.id, undefined, text))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
      detail: "expected a key other than the one that started the execution",
      hint: expect.stringMatching(/^create another key with the scope approvals .*YAGATE_ALLOW_SELF_APPROVAL\)$/),
    });
    expect(await read(asked.approval.id)).toEqual(asked.approval);
    expect((await approve(asked.approval.id)).status).toBe(200);
  });

  it("may not either when it is the bootstrap key", async () => {
    const asked = await askOne({ key: world.key });
    expect((await approve(asked.approval.id, undefined, world.key)).status).toBe(403);
    expect(await approve(asked.approval.id)).toMatchObject({ status: 200 });
  });

  it("may deny", async () => {
    const asked = await askOne({ key: world.key });
    expect(await deny(asked.approval.id, undefined, world.key)).toMatchObject({
      status: 200,
      body: { resolution: { keyId: null, isSelfApproval: true } },
    });
  });

  it("may approve where the operator allows it, and the record says so", async () => {
    const on = await startWorld({ allowSelfApproval: true });
    try {
      const asked = await ask([REFUND], { on, key: on.key });
      const answer = await approve(asked.approvals[0]?.id ?? "", undefined, on.key, on);
      expect(answer).toMatchObject({ status: 200, body: { resolution: { keyId: null, isSelfApproval: true } } });
      await asked.end();
      expect(await asked.calls()).toMatchObject([{ approval: { resolution: { isSelfApproval: true } } }]);
    } finally {
      await on.stop();
    }
  });
});

describe("the list", () => {
  it("has those of one status, in pages, newest first", async () => {
    const on = await startWorld();
    try {
      const asked = await ask([REFUND, REFUND, REFUND], { on, key: on.key });
      const key = (await on.makeKey(["approvals"])).text;
      const [first, second, third] = asked.approvals.map(({ id }) => id);
      await deny(second ?? "", undefined, key, on);
      const idsOf = async (query: Record<string, string>) => {
        const page = pageSchema(approvalSchema).parse((await on.call("listApprovals", { key, query })).body);
        return { ids: page.data.map(({ id }) => id), cursor: page.nextCursor };
      };
      expect((await idsOf({})).ids).toEqual([third, second, first]);
      expect((await idsOf({ status: "denied" })).ids).toEqual([second]);
      const page = await idsOf({ status: "pending", limit: "1" });
      expect(page.ids).toEqual([third]);
      expect(await idsOf({ status: "pending", cursor: page.cursor ?? "" })).toEqual({ ids: [first], cursor: null });
      const wrong = await on.call("listApprovals", { key, query: { status: "open" } });
      expect(problemOf(wrong)).toMatchObject({ status: 422 });
    } finally {
      await on.stop();
    }
  });
});
