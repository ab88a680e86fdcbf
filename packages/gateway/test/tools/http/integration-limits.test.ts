import { workspaceToolSchema, workspaceToolTestSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { expectStatus } from "../../http/support/agents.ts";
import { startNetworkWorld } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
const limit = async (name: string, host: string, standard: object) =>
  expectStatus(
    await world.call("createIntegration", { body: { name, allowedDomains: [host], limits: { standard } } }),
    201,
  );
await limit("few", "few.test", { callsPerMinute: 1 });
await limit("small", "small.test", { responseBytes: 10 });
await limit("tested", "tested.test", { callsPerMinute: 1, responseBytes: 10 });
await limit("hooked", "hooks.test", { callsPerMinute: 1 });

const rest = (name: string, host: string) => ({
  rest: { name, description: "reads", method: "GET", url: service.url("/", host) },
});
const composed = (name: string, host: string) => ({
  ...{ name, description: "reads", parameters: { type: "object", properties: {} }, sideEffect: "read_only" },
  implementation: { primitive: "http_request", args: { method: "GET", url: service.url("/", host) } },
});

it("limits of an integration count for hosts that an author wrote, whatever the agent enables", async () => {
  const agent = await world.agent({ integrations: [], tools: [rest("a", "few.test"), composed("b", "few.test")] });
  const { calls } = await world.run(agent, [
    { name: "a", parameters: {} },
    { name: "b", parameters: {} },
  ]);
  const codes = calls.map(({ error }) => error?.code);
  expect(codes.toSorted()).toEqual(["RATE_LIMITED", undefined]);
  expect(service.requests).toHaveLength(1);
});

it("limits of an integration count for webhooks to its domains", async () => {
  const agent = await world.agent({ integrations: ["webhook"] });
  const hook = { name: "webhook", parameters: { url: service.url("/hook", "hooks.test") } };
  const { calls } = await world.run(agent, [hook, hook]);
  expect(calls.map(({ error }) => error?.code).toSorted()).toEqual(["RATE_LIMITED", undefined]);
});

it("answers to hosts that an author wrote are cut to the size of their integration", async () => {
  service.respond = (_request, response) => response.end("x".repeat(50));
  const agent = await world.agent({ integrations: [], tools: [rest("a", "small.test")] });
  expect(await world.one(agent, "a", {})).toMatchObject({ result: { truncated: true, body: "x".repeat(10) } });
});

it("tests of workspace tools count for the limits of integrations", async () => {
  service.respond = (_request, response) => response.end("x".repeat(50));
  const definition = rest("probed", "tested.test");
  const made = workspaceToolSchema.parse(expectStatus(await world.call("createTool", { body: { definition } }), 201));
  const test = async () => {
    await world.call("testTool", { params: { id: made.id }, body: { parameters: {} } });
    return workspaceToolTestSchema.parse((await world.call("getToolTest", { params: { id: made.id } })).body);
  };
  const before = service.requests.length;
  expect(await test()).toMatchObject({ ok: true, response: { truncated: true, body: "x".repeat(10) } });
  expect(await test()).toMatchObject({ ok: false, error: { code: "RATE_LIMITED" } });
  expect(service.requests).toHaveLength(before + 1);
});
