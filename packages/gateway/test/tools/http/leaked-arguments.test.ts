import { type Agent, type JsonObject, toolCallRecordSchema } from "@yagate/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { expectStatus, start } from "../../http/support/agents.ts";
import { startWorld } from "../../http/support/world.ts";
import { lookup, okay, startNetworkWorld } from "./support/network-world.ts";

const VALUE = "leak-planted-0a1b2c3d4e5";
const BASE64 = Buffer.from(VALUE).toString("base64");

/** Character references without semicolons, percent-encoded. */
const MIXTURE = encodeURIComponent(
  VALUE.replace(/\D/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("&#45;p", "&#45p"),
);

const world = await startNetworkWorld();
const { service } = world;
const url = service.url("/orders");
await world.secret("LEAKED", VALUE);
const parameters = { type: "object", properties: { note: {} }, required: ["note"] };
const handler = {
  name: "keep_note",
  description: "Keeps a note",
  parameters,
  handler: service.url("/note", "hooks.test"),
};
const count = {
  name: "count",
  description: "Calculates",
  parameters: { type: "object", properties: { sum: { type: "string" } }, required: ["sum"] },
  implementation: { primitive: "calculator", args: { expression: "${sum}" } },
};
const agent = await world.agent({
  credentials: ["LEAKED"],
  tools: [{ builtin: "http_get" }, { builtin: "http_post" }, { builtin: "api_call" }, handler, count],
});
const careful = await world.agent({
  credentials: ["LEAKED"],
  tools: [{ builtin: "http_post", config: { approval: "always" } }],
});
const approver = await world.makeKey(["approvals"]);

beforeEach(() => {
  service.requests.length = 0;
  service.respond = okay;
});

/** All that the API tells of an execution. */
async function toldOf(executionId: string): Promise<string> {
  const params = { id: executionId };
  const events = await (await world.open("followExecution", { params })).text();
  const answers = await Promise.all([
    world.call("getExecution", { params }),
    world.call("listToolCalls", { params }),
    world.call("getReceipt", { params }),
  ]);
  return events + JSON.stringify(answers.map(({ body }) => body));
}

describe("the value of a secret in the arguments of a call", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["http_get", { url: `${url}?q=${VALUE}` }, { url: `${url}?q=***LEAKED***` }],
    ["http_post", { url, body: { a: [BASE64] } }, { url, body: { a: ["***LEAKED***"] } }],
    ["http_post", { url, body: MIXTURE }, { url, body: "***LEAKED***" }],
    ["keep_note", { note: { [VALUE]: `a ${VALUE}` } }, { note: { "***LEAKED***": "a ***LEAKED***" } }],
    ["count", { sum: `1+${VALUE}` }, { sum: "1+***LEAKED***" }],
  ])("of %s is replaced by its name, and the call is blocked", async (name, written, recorded) => {
    const { execution, calls } = await world.run(agent, [{ name, parameters: written }]);
    const error = { code: "CREDENTIAL_LEAK", outcome: "none", message: expect.stringContaining("LEAKED") };
    expect(calls).toMatchObject([{ status: "failed", blocked: true, blockReason: "credential_leak", error }]);
    expect(calls[0]?.parameters).toEqual(recorded);
    expect(service.requests).toEqual([]);
    const summarised = await toldOf(execution.id);
    expect(summarised).toContain('"leakedSecrets":["LEAKED"]');
    expect([VALUE, BASE64].filter((form) => summarised.includes(form))).toEqual([]);
  });

  it("is in no refusal that comes before", async () => {
    const { execution, calls } = await world.run(agent, [
      { name: VALUE, parameters: {} },
      { name: "http_get", parameters: { url, [VALUE]: 1 } },
      { name: "http_get", parameters: { url: `https://elsewhere.example/${VALUE}` } },
      { name: "api_call", parameters: { method: "GET", url, credential: VALUE } },
    ]);
    const codes = calls.map(({ error }) => error?.code);
    expect(codes).toEqual(["UNKNOWN_TOOL", "INVALID_ARGUMENTS", "URL_BLOCKED", "CREDENTIAL_UNKNOWN"]);
    expect(await toldOf(execution.id)).not.toContain(VALUE);
  });

  it("is taken out of what the model says beside its calls", async () => {
    const turns = [{ text: `I use ${VALUE}`, toolCalls: [{ name: "count", parameters: { sum: "1+1" } }] }];
    const script = { turns: [...turns, { text: `It was ${VALUE} and ${BASE64}` }] };
    const { execution, calls } = await world.run(agent, [], { script });
    expect(calls).toMatchObject([{ status: "completed" }]);
    expect(execution.output?.text).toMatch(/^It was \*\*\*LEAKED\*\*\* and \*\*\*LEAKED\*\*\*/);
    expect(await toldOf(execution.id)).not.toContain(VALUE);
  });

  it("of another agent's secret is none of this agent's", async () => {
    const plain = await world.agent({ tools: [handler] });
    const { calls } = await world.run(plain, [{ name: "keep_note", parameters: { note: VALUE } }]);
    expect(calls[0]?.parameters).toEqual({ note: VALUE });
    expect(service.requests).toHaveLength(1);
  });
});

describe("a call that a person is asked about", () => {
  async function asked(careful: Agent) {
    const toolCalls = [{ name: "http_post", parameters: { url, body: VALUE } }];
    const { id } = await start(world, careful.id, {
      input: "go",
      script: { turns: [{ toolCalls }, { text: "done" }] },
    });
    let [call] = await world.callsOf(id);
    while (call?.approval === undefined) [call] = await world.callsOf(id);
    return { id, approvalId: call.approval.id };
  }

  it("may run with the arguments that they write instead", async () => {
    const { id, approvalId } = await asked(careful);
    const body = { parameters: { url, body: "nothing secret" } };
    expectStatus(await world.call("approve", { key: approver.text, params: { id: approvalId }, body }), 200);
    expect(await toldOf(id)).not.toContain(VALUE);
    expect(service.requests).toMatchObject([{ body: "nothing secret" }]);
  });

  it("is blocked by whoever goes on with it after a restart", async () => {
    const { id, approvalId } = await asked(careful);
    await world.close();
    const next = await startWorld({ dataDir: world.dataDir, apiKey: world.key, lookup });
    try {
      expectStatus(await next.call("approve", { key: approver.text, params: { id: approvalId }, body: {} }), 200);
      await (await next.open("followExecution", { params: { id } })).text();
      const { body } = await next.call("listToolCalls", { params: { id } });
      const [call] = toolCallRecordSchema.array().parse(JSON.parse(JSON.stringify(body)).data);
      expect(call).toMatchObject({ blockReason: "credential_leak", parameters: { url, body: "***LEAKED***" } });
      expect(service.requests).toEqual([]);
    } finally {
      await next.close();
    }
  });
});
