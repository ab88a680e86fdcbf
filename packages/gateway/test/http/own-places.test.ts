import type { LookupFunction } from "node:net";
import { pageSchema, type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { execute, expectStatus, fieldsOf, makeAgent } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const behindPublicUrl = await startHandler();
const neighbour = await startHandler();
const publicPort = Number(new URL(behindPublicUrl.url).port);
const neighbourPort = Number(new URL(neighbour.url).port);

const asked: string[] = [];
const lookup: LookupFunction = (hostname, _options, callback) => {
  asked.push(hostname);
  if (hostname === "mapped.test") return callback(null, [{ address: "::ffff:127.0.0.1", family: 6 }]);
  if (hostname === "mixed.test") {
    const addresses = [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    return callback(null, addresses);
  }
  callback(null, [{ address: "127.0.0.1", family: 4 }]);
};

const world = await startWorld({
  lookup,
  allowCidrs: ["127.0.0.0/8", "::1/128", "::ffff:127.0.0.0/104", "0.0.0.0/8"],
  publicUrl: `http://gw.test:${publicPort}`,
});
afterAll(() => world.stop());
const ownPort = Number(new URL(world.url).port);
const domains = ["gw.test", "*.test", "127.0.0.1", "localhost", "0.0.0.0"];
const integration = { name: "open", allowedDomains: domains, ports: [443, ownPort, publicPort, neighbourPort] };
expectStatus(await world.call("createIntegration", { body: integration }), 201);
const agent = await makeAgent(world, {
  tools: [{ builtin: "http_get" }],
  integrations: ["open"],
  policy: { network: true },
});

beforeEach(() => {
  asked.length = 0;
});

async function callsOf(
  agentId: string,
  name: string,
  parameters: object,
  api = world,
): Promise<ToolCallRecord | undefined> {
  const toolCalls = [{ name, parameters: JSON.parse(JSON.stringify(parameters)) }];
  const { id } = await execute(api, agentId, { input: "go", script: { turns: [{ toolCalls }, { text: "done" }] } });
  const { body } = await api.call("listToolCalls", { params: { id } });
  return pageSchema(toolCallRecordSchema).parse(body).data[0];
}

describe("a request to the gateway itself", () => {
  it.each<[string, string, string]>([
    ["by its address", `http://127.0.0.1:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by the name of this machine", `http://localhost:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by a name that leads there", `http://alias.test:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by a name with a trailing dot", `http://alias.test.:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by a name that leads to its mapped address", `http://mapped.test:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by a name that leads there and elsewhere", `http://mixed.test:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by no address", `http://0.0.0.0:${ownPort}/healthz`, "DNS_BLOCKED"],
    ["by its public URL", `http://gw.test:${publicPort}/v1/agents`, "URL_BLOCKED"],
    ["by its public URL in capitals", `http://GW.test.:${publicPort}/v1/agents`, "URL_BLOCKED"],
  ])("of an HTTP tool is blocked: %s", async (_how, url, code) => {
    const call = await callsOf(agent.id, "http_get", { url });
    expect(call).toMatchObject({ blocked: true, error: { code } });
    // Nobody is told that it is the gateway.
    if (code === "DNS_BLOCKED") expect(call?.error?.message).not.toMatch(/gateway|port/);
    if (code === "URL_BLOCKED") expect(asked).toEqual([]);
    expect(behindPublicUrl.calls).toEqual([]);
  });

  it("of a handler is refused when it is saved, and blocked where only its name's address tells", async () => {
    for (const handler of [`http://127.0.0.1:${ownPort}/tools`, `http://gw.test:${publicPort}/tools`]) {
      const answer = await world.call("createAgent", {
        body: { name: "self", model: "scripted/turns", tools: [workTool(handler)] },
      });
      expect(answer.status).toBe(422);
      expect(fieldsOf(answer)).toEqual(["tools[0].handler: the url must not lead to the gateway itself"]);
    }
    const self = await makeAgent(world, { tools: [workTool(`http://alias.test:${ownPort}/tools`)] });
    expect((await callsOf(self.id, "work", {}))?.error).toMatchObject({ code: "DNS_BLOCKED" });
  });
});

it("a public URL on the usual port is blocked for pages and for model providers", async () => {
  const onPublic = await startWorld({
    publicUrl: "https://gw.example/yagate",
    lookup(hostname, _options, callback) {
      asked.push(hostname);
      callback(null, [{ address: "192.0.2.1", family: 4 }]);
    },
  });
  try {
    const reader = await makeAgent(onPublic, { tools: [{ builtin: "url_fetch" }], policy: { network: true } });
    const call = await callsOf(reader.id, "url_fetch", { url: "https://gw.example/docs" }, onPublic);
    expect(call?.error).toMatchObject({ code: "URL_BLOCKED" });
    expect(asked).toEqual([]);
    const body = { value: "sk-0123456789", hosts: ["gw.example"] };
    expectStatus(await onPublic.call("putSecret", { params: { name: "KEY" }, body }), 200);
    const provider = { apiKey: "workspace-secret://KEY", baseUrl: "https://gw.example/v1" };
    const answer = await onPublic.call("putProvider", { params: { name: "self" }, body: provider });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(["baseUrl: the url must not lead to the gateway itself"]);
  } finally {
    await onPublic.stop();
  }
});

it("another port of the same machine is called, and another name on the port of the public URL", async () => {
  const near = await makeAgent(world, { tools: [workTool(neighbour.url)] });
  expect(await callsOf(near.id, "work", {})).toMatchObject({ status: "completed" });
  const shared = await makeAgent(world, { tools: [workTool(`http://other.test:${publicPort}/tools`)] });
  expect(await callsOf(shared.id, "work", {})).toMatchObject({ status: "completed" });
});
