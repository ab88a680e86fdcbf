import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { approvalSchema, pageSchema, type ToolCallRecord } from "@yagate/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { execute, expectStatus, fieldsOf, problemOf, start, startAsking } from "../../http/support/agents.ts";
import { startNetworkWorld } from "./support/network-world.ts";

const EDGE = "edge-planted-0a1b2c3d4e5f";
const LOGIN = "ops:login-planted-9f8e7d";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const PLANTED = [EDGE, base64(EDGE).slice(0, -2), "login-planted-9f8e7d", base64(LOGIN)];

const world = await startNetworkWorld({ publicUrl: "https://gateway.example" });
const { service } = world;
const hosts = ["hooks.test"];
await world.secret("EDGE", EDGE, { hosts });
await world.secret("ELSEWHERE", "elsewhere-planted-1", { hosts: ["api.shop.test"] });
const login = { username: "ops", password: "login-planted-9f8e7d" };
expectStatus(await world.call("putSecret", { params: { name: "LOGIN" }, body: { value: login, hosts } }), 200);

const headers = {
  Authorization: "Basic ${secrets.LOGIN}",
  "X-Edge-Key": "v1 ${secrets.EDGE}",
  "x-region": "eu $${west}",
};
const SHOWN = { Authorization: "Basic ***LOGIN***", "X-Edge-Key": "v1 ***EDGE***", "x-region": "eu ${west}" };
const tool = (rest: object = {}) => ({
  name: "look_up",
  description: "Looks up",
  parameters: { type: "object", properties: { note: { type: "string" } } },
  handler: service.url("/tool", "hooks.test"),
  headers,
  ...rest,
});
const agentOf = (rest: object = {}) => world.agent({ tools: [tool(rest)], integrations: [], webhookUrls: [] });

beforeEach(() => {
  service.requests.length = 0;
  service.respond = (_request, response) => response.writeHead(200).end('{"result":1}');
});

/** All that the API tells of a call. */
async function toldOf(call: ToolCallRecord): Promise<string> {
  const params = { id: call.executionId };
  const events = await (await world.open("followExecution", { params })).text();
  const receipt = await world.call("getReceipt", { params });
  return events + JSON.stringify([call, await world.attemptOf(call), receipt.body]);
}

describe("the headers of a handler tool", () => {
  it("go along with each call beside the signature, and no record shows a secret", async () => {
    const call = await world.one(await agentOf(), "look_up", {});
    expect(call).toMatchObject({ status: "completed", attempts: [{ credential: "LOGIN, EDGE" }] });
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: `Basic ${base64(LOGIN)}`,
      "x-edge-key": `v1 ${EDGE}`,
      "x-region": "eu ${west}",
      "content-type": "application/json",
      "idempotency-key": call.id,
      "x-ya-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
    expect((await world.attemptOf(call)).request?.headers).toMatchObject(SHOWN);
    const summarised = await toldOf(call);
    expect(summarised).toContain("***EDGE***");
    expect(PLANTED.filter((text) => summarised.includes(text))).toEqual([]);
  });

  it("carry the value that a secret has at the moment", async () => {
    const agent = await agentOf({ headers: { "x-key": "${secrets.TURNING}" } }).catch(() => undefined);
    expect(agent).toBeUndefined();
    for (const value of ["first-planted-1", "second-planted-2"]) {
      await world.secret("TURNING", value, { hosts });
      await world.one(await agentOf({ headers: { "x-key": "${secrets.TURNING}" } }), "look_up", {});
    }
    const sent = service.requests.map((request) => request.headers["x-key"]);
    expect(sent).toEqual(["first-planted-1", "second-planted-2"]);
  });

  it("are taken out of what the handler echoes, whether it succeeds, fails or brings its result later", async () => {
    const agent = await agentOf();
    for (const status of [200, 500]) {
      service.respond = (request, response) => {
        const echo = { edge: request.headers["x-edge-key"], coded: base64(EDGE), sent: request.headers.authorization };
        response.writeHead(status, { "x-echo": EDGE });
        response.end(JSON.stringify(status === 200 ? { result: echo } : { error: { code: "X", message: EDGE } }));
      };
      const call = await world.one(agent, "look_up", {});
      expect(JSON.stringify(call)).toContain("[redacted:EDGE]");
      const summarised = await toldOf(call);
      expect(PLANTED.filter((text) => summarised.includes(text))).toEqual([]);
    }
    service.respond = (_request, response) =>
      response.writeHead(200).end(Buffer.from(`{"result":"${EDGE}"}`, "utf16le"));
    const unreadable = await world.one(agent, "look_up", {});
    expect((await world.attemptOf(unreadable)).response?.body).toBe("[bytes that are not text]");
  });

  it("are taken out of a result that is brought later", async () => {
    let ticket = { token: "", url: "" };
    const called = new Promise<void>((resolve) => {
      service.respond = ({ body }, response) => {
        ticket = JSON.parse(body).callback;
        response.writeHead(202).end('{"pending":true}');
        resolve();
      };
    });
    const agent = await agentOf({ async: true });
    const script = { turns: [{ toolCalls: [{ name: "look_up", parameters: {} }] }, { text: "done" }] };
    const execution = await start(world, agent.id, { input: "go", script });
    await called;
    const toolCallId = new URL(ticket.url).pathname.split("/").at(-1) ?? "";
    const brought = await world.call("receiveCallback", {
      params: { id: toolCallId },
      key: ticket.token,
      body: { result: { edge: EDGE, coded: base64(EDGE) } },
    });
    expectStatus(brought, 200);
    const events = await (await world.open("followExecution", { params: { id: execution.id } })).text();
    expect(events).toContain("[redacted:EDGE]");
    expect(PLANTED.filter((text) => events.includes(text))).toEqual([]);
  });

  it("keep their secrets out of what a model writes", async () => {
    const call = await world.one(await agentOf(), "look_up", { note: "elsewhere" });
    expect(call.status).toBe("completed");
    await world.secret("WRITTEN", "written-planted-3c4d", { hosts });
    const agent = await agentOf({ headers: { "x-key": "${secrets.WRITTEN}" } });
    const leaked = await world.one(agent, "look_up", { note: "written-planted-3c4d" });
    expect(leaked).toMatchObject({ error: { code: "CREDENTIAL_LEAK" }, parameters: { note: "***WRITTEN***" } });
  });

  it("are shown by name in a preview and to the person who approves, and leave as they were approved", async () => {
    const agent = await agentOf({ approval: "always" });
    const preview = await world.call("previewTool", { body: { agentId: agent.id, tool: "look_up", parameters: {} } });
    expect(expectStatus(preview, 200)).toMatchObject({ headers: SHOWN });
    const approver = await world.makeKey(["approvals"]);
    const script = { turns: [{ toolCalls: [{ name: "look_up", parameters: {} }] }, { text: "done" }] };
    const id = await startAsking(world, agent.id, { input: "go", script });
    const listed = await world.call("listApprovals", { key: approver.text, query: { status: "pending" } });
    const [approval] = pageSchema(approvalSchema).parse(listed.body).data;
    expect(approval?.request).toMatchObject({ headers: SHOWN });
    // A new value of a secret is no other request.
    await world.secret("EDGE", EDGE, { hosts });
    await world.call("approve", { key: approver.text, params: { id: approval?.id ?? "" }, body: {} });
    await (await world.open("followExecution", { params: { id } })).text();
    expect(service.requests.map((request) => request.headers["x-edge-key"])).toEqual([`v1 ${EDGE}`]);
    expect(PLANTED.filter((text) => JSON.stringify([preview.body, listed.body]).includes(text))).toEqual([]);
  });
});

describe("a call whose header names a secret", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ["that was deleted", () => world.call("deleteSecret", { params: { name: "LATER" } }), "CREDENTIAL_UNKNOWN"],
    [
      "whose hosts were changed",
      () => world.secret("LATER", "later-planted-1", { hosts: ["api.shop.test"] }),
      "URL_BLOCKED",
    ],
    ["whose hosts were removed", () => world.secret("LATER", "later-planted-1", { hosts: [] }), "URL_BLOCKED"],
  ])("%s is not sent", async (_what, change, code) => {
    await world.secret("LATER", "later-planted-1", { hosts });
    const agent = await agentOf({ headers: { "x-key": "${secrets.LATER}" } });
    await change();
    const call = await world.one(agent, "look_up", {});
    expect(call).toMatchObject({ error: { code, outcome: "none", retryable: false, source: "gateway" } });
    expect(call.error?.message).toContain("LATER");
    expect(service.requests).toEqual([]);
  });
});

describe("saving a tool with headers", () => {
  it.each<[string, Record<string, string>, string]>([
    ["an unknown secret", { "x-key": "${secrets.MISSING}" }, "UNKNOWN_SECRET"],
    ["a secret for another host", { "x-key": "${secrets.ELSEWHERE}" }, "SECRET_HOST_MISMATCH"],
    ["a parameter", { "x-key": "${note}" }, "UNKNOWN_PLACEHOLDER"],
    ["an open placeholder", { "x-key": "${secrets.EDGE" }, "BAD_PLACEHOLDER"],
    ["a plain credential", { Authorization: "Bearer written-here" }, "PLAIN_CREDENTIAL"],
    ["the same name twice", { "X-Key": "a", "x-key": "b" }, "CUSTOM"],
    ["a line break", { "x-key": "a\r\nx: y" }, "INVALID_FORMAT"],
    ...[
      ...["X-YA-Signature", "x-ya-anything", "webhook-id", "Webhook-Signature", "svix-id", "X-Hub-Signature-256"],
      ...["Idempotency-Key", "traceparent", "tracestate", "baggage", "b3", "Content-Type", "content_type", "digest"],
      ...["Content-Length", "Host", "Transfer-Encoding", "Connection", "Proxy-Authorization", "Accept-Encoding"],
      ...["X-HTTP-Method-Override", "Repr-Digest"],
    ].map((name): [string, Record<string, string>, string] => [`the header ${name}`, { [name]: "x" }, "INVALID_KEY"]),
  ])("refuses %s", async (_what, given, code) => {
    const definition = tool({ headers: given });
    const agent = { name: "a", model: "scripted/turns", tools: [definition] };
    const answers = [
      await world.call("createAgent", { body: agent }),
      await world.call("createTool", { body: { definition } }),
    ];
    for (const answer of answers) {
      expect(problemOf(answer)).toMatchObject({ status: 422, errors: [{ code }] });
      expect(fieldsOf(answer)[0]).toMatch(/headers/);
      expect(JSON.stringify(answer.body)).not.toContain("written-here");
    }
  });

  it("warns of what looks like a credential in plain text", async () => {
    const { warnings } = await agentOf({ headers: { "x-token-kind": "jwt" } });
    const found = { code: "PLAIN_CREDENTIAL", path: "tools[0].headers.x-token-kind" };
    expect(warnings).toContainEqual(expect.objectContaining(found));
  });

  it("keeps the names of secrets alone, in the agent as in every file", async () => {
    const agent = await agentOf();
    expect(agent.tools).toMatchObject([{ headers }]);
    const { status } = await execute(world, agent.id, { input: "go", script: { turns: [{ text: "done" }] } });
    expect(status).toBe("completed");
    const files = await readdir(world.dataDir, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
    );
    const all = Buffer.concat(contents);
    expect(all.includes("${secrets.EDGE}")).toBe(true);
    // What a script has a model write is kept as the caller wrote it.
    expect(PLANTED.filter((text) => all.includes(text))).toEqual([]);
  });
});
