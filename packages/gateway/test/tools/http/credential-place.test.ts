import { type JsonObject, pageSchema, type SecretAuth, type ToolCallRecord } from "@yagate/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startAsking } from "../../http/support/agents.ts";
import { startNetworkWorld } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
const VALUE = "sk-planted-place-0123456789";
const AT_KEY: SecretAuth = { type: "header", name: "X-Api-Key" };
await world.secret("K", VALUE);
const agent = await world.agent({
  credentials: ["K"],
  tools: [{ builtin: "api_call", config: { approval: "always" } }],
});
const unasked = await world.agent({ credentials: ["K"], tools: [{ builtin: "api_call" }] });
const approver = await world.makeKey(["approvals"]);
const parameters = {
  ...{ method: "POST", url: service.url("/pay?amount=1"), credential: "K" },
  headers: { "X-Mode": "dry-run" },
};

afterEach(() => {
  service.requests.length = 0;
});

const shownSchema = z.object({
  id: z.string(),
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});

const setAuth = (auth: SecretAuth) => world.secret("K", VALUE, { auth });

function start(given: JsonObject = parameters): Promise<string> {
  const script = { turns: [{ toolCalls: [{ name: "api_call", parameters: given }] }, { text: "done" }] };
  return startAsking(world, agent.id, { input: "go", script });
}

async function pending() {
  const { body } = await world.call("listApprovals", { key: approver.text, query: { status: "pending" } });
  return pageSchema(shownSchema).parse(body).data;
}

const approve = (id: string, body: JsonObject = {}) =>
  world.call("approve", { key: approver.text, params: { id }, body });
const deny = (id: string) => world.call("deny", { key: approver.text, params: { id }, body: {} });

async function ended(executionId: string): Promise<ToolCallRecord | undefined> {
  await (await world.open("followExecution", { params: { id: executionId } })).text();
  return (await world.callsOf(executionId)).at(-1);
}

describe("a request that waits for a person", () => {
  it.each<[string, SecretAuth, (request: z.output<typeof shownSchema>["request"]) => unknown, string]>([
    ["in its header", AT_KEY, ({ headers }) => headers["x-api-key"], "***K***"],
    ["as a bearer", { type: "bearer" }, ({ headers }) => headers["authorization"], "Bearer ***K***"],
    ["in the query", { type: "query_param", name: "key" }, ({ url }) => url, service.url("/pay?amount=1&key=***K***")],
  ])("shows the credential %s", async (_name, auth, placeOf, text) => {
    await setAuth(auth);
    const id = await start();
    const [approval] = await pending();
    expect(approval && placeOf(approval.request)).toBe(text);
    expect((await approve(approval?.id ?? "")).status).toBe(200);
    expect(await ended(id)).toMatchObject({ status: "completed" });
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, SecretAuth]>([
    ["over a query parameter that was shown", { type: "query_param", name: "amount" }],
    ["over a header that was shown", { type: "header", name: "x-mode" }],
    ["to a place that was free", { type: "header", name: "x-other" }],
  ])("is not approved any more once the credential moves %s", async (_name, auth) => {
    await setAuth(AT_KEY);
    const id = await start();
    const [approval] = await pending();
    await setAuth(auth);
    expect(await approve(approval?.id ?? "")).toMatchObject({ status: 409 });
    await deny(approval?.id ?? "");
    expect(await ended(id)).toMatchObject({ status: "denied" });
    expect(service.requests).toEqual([]);
  });

  it("asks nobody about arguments that stand in the credential's place", async () => {
    await setAuth(AT_KEY);
    const id = await start({ ...parameters, headers: { "x-api-KEY": "mine" } });
    expect(await pending()).toEqual([]);
    const call = await ended(id);
    expect(call).toMatchObject({ status: "failed", attempts: [], error: { code: "INVALID_ARGUMENTS" } });
    expect(call?.error?.message).toContain("credential K is sent as the header x-api-key");
  });

  it("takes no edited arguments that stand in the credential's place", async () => {
    await setAuth(AT_KEY);
    const id = await start();
    const [approval] = await pending();
    const edited = { ...parameters, headers: { "x-api-key": "mine" } };
    expect(await approve(approval?.id ?? "", { parameters: edited })).toMatchObject({ status: 422 });
    await deny(approval?.id ?? "");
    expect(await ended(id)).toMatchObject({ status: "denied" });
  });
});

describe("arguments in the credential's place", () => {
  it.each<[string, SecretAuth, JsonObject]>([
    ["its header, in other letters", AT_KEY, { headers: { "x-API-key": "mine" } }],
    ["the header of a bearer", { type: "bearer" }, { headers: { authorization: "mine" } }],
    ["the header of a token", { type: "signed_token", expiresInSeconds: 60 }, { headers: { Authorization: "mine" } }],
    ["its parameter, in the URL", { type: "query_param", name: "a[b]" }, { url: service.url("/pay?a%5bb%5d=1") }],
    ["its parameter, beside the URL", { type: "query_param", name: "key" }, { query_params: { key: "mine" } }],
  ])("are refused: %s", async (_name, auth, given) => {
    await setAuth(auth);
    const call = await world.one(unasked, "api_call", { ...parameters, ...given });
    expect(call).toMatchObject({ status: "failed", error: { code: "INVALID_ARGUMENTS", outcome: "none" } });
    expect(call.error?.message).toMatch(/^the credential K is sent as the .*; omit it/);
    expect(service.requests).toEqual([]);
  });

  it("do not mean what the gateway says by default", async () => {
    await setAuth({ type: "header", name: "user-agent" });
    expect(await world.one(unasked, "api_call", parameters)).toMatchObject({ status: "completed" });
    expect(service.requests).toMatchObject([{ headers: { "user-agent": VALUE } }]);
  });
});
