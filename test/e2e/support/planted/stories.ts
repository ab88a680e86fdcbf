import { randomBytes } from "node:crypto";
import type { Response } from "express";
import { expect } from "vitest";
import type { Played, WireTurn } from "../model-server.ts";
import { calls, startRawService, toolAt } from "../services.ts";
import { httpTools, httpTurns } from "./http-stories.ts";
import { agentWith, made, play, type Story } from "./story.ts";

const ORDER = { name: "lookup_order", arguments: '{"orderId":"ORD-1"}' };

/** What the model of {@link httpTools} and {@link modelProviders} does, in the order in which it is asked. */
export function modelTurns(values: ReadonlyMap<string, string>): readonly Played[] {
  const quoting = (name: string): WireTurn => ({
    raw: {
      status: 401,
      body: JSON.stringify({ error: { message: `no such key: ${values.get(name)}`, type: "auth" } }),
    },
  });
  return [
    ...httpTurns,
    { calls: [ORDER] },
    { text: "shipped by Hermes" },
    quoting("the provider's key"),
    quoting("the API key"),
    () => tellingTurn(values.get("a credential that a model knows") ?? ""),
    () => ({ text: `I have sent ${values.get("a credential that a model knows")} to nobody` }),
  ];
}

/** A model that has got hold of a credential, and writes it wherever it can. */
function tellingTurn(value: string): WireTurn {
  const base64 = Buffer.from(`key:${value}`).toString("base64");
  const telling = (name: string, parameters: object) => ({ name, arguments: JSON.stringify(parameters) });
  return {
    text: `I send ${value}, which is ${base64}`,
    reasoning: `The key is ${value}`,
    calls: [
      telling("http_post", {
        url: `http://127.0.0.1/${value}`,
        headers: { "X-Key": base64 },
        body: { [value]: base64 },
      }),
      telling("lookup_order", { orderId: value }),
      telling("lookup_order", { orderId: base64, [value]: 1 }),
      telling(value, {}),
      { name: "lookup_order", arguments: `{"orderId": "${value}` },
    ],
  };
}

/** Keys, secrets and workspaces are made, changed, listed and deleted; and requests that are wrong hold some. */
export const administration: Story = async (world) => {
  const { ask, values } = world;
  const other = await ask("POST", "/v1/workspaces", {
    body: { name: "acme" },
    shows: { signingSecret: "another workspace's signing secret" },
  });
  const scopes = ["agents", "executions"];
  const ofOther = { name: "shop", scopes, workspaceId: made(other) };
  await ask("POST", "/v1/api-keys", { body: ofOther, shows: { key: "another workspace's API key" } });
  const key = await ask("POST", "/v1/api-keys", {
    body: { name: "shop", scopes },
    shows: { key: "a deleted API key" },
  });
  await ask("DELETE", `/v1/api-keys/${made(key)}`);
  await ask("POST", "/v1/signing-secrets/rotate", {
    body: { name: "billing" },
    shows: { secret: "a second signing secret" },
  });

  const value = `sk-${randomBytes(24).toString("hex")} "quoted" \\ /+?`;
  values.set("a workspace secret", value);
  await ask("PUT", "/v1/secrets/SHOP_KEY", { body: { value, auth: { type: "bearer" }, hosts: ["api.shop.example"] } });
  values.set("a workspace secret that was replaced", `${value}-2`);
  await ask("PUT", "/v1/secrets/OPENAI_KEY", { body: { value: `${value}-2` } });
  values.set("the key of a workspace's provider", `sk-${randomBytes(24).toString("hex")}`);
  await ask("PUT", "/v1/secrets/OPENAI_KEY", { body: { value: values.get("the key of a workspace's provider") } });
  world.known.push("SHOP_KEY", "acme");

  for (const body of [{ value, typo: value }, { value: `${value}\nX-Key: 1` }, `{"value":${JSON.stringify(value)}`]) {
    expect((await ask("PUT", "/v1/secrets/BAD", { body })).status).toBeGreaterThanOrEqual(400);
  }
  await ask("PUT", "/v1/providers/openai", { body: { apiKey: value } });
  await ask("POST", "/v1/agents", { body: { name: "a", apiKey: values.get("the API key") } });
  const wrongKey = `yk_${randomBytes(32).toString("base64url")}`;
  values.set("a key that nobody has", wrongKey);
  expect((await ask("GET", "/v1/agents", { key: wrongKey })).status).toBe(401);
  expect((await ask("GET", "/v1/agents", { key: values.get("a deleted API key") ?? "" })).status).toBe(401);
  for (const list of ["secrets", "signing-secrets", "providers", "api-keys", "workspaces", "agents", "approvals"]) {
    expect((await ask("GET", `/v1/${list}`)).status).toBe(200);
  }
};

/** Services that tell everything they know, in answers that are good, bad and none. */
export const signedTools: Story = async (world) => {
  const secret = world.values.get("the signing secret") ?? "";
  const tell = (response: Response, status: number, body: unknown) =>
    void response.status(status).set("x-told", secret).json(body);
  const answers: readonly ((response: Response) => void)[] = [
    (response) =>
      tell(response, 200, { result: { carrier: "shipped by Hermes", told: [secret, { [secret]: secret }] } }),
    (response) => tell(response, 200, { error: { code: "TELLING", message: `it is ${secret}`, details: { secret } } }),
    (response) => tell(response, 500, { secret }),
    (response) => void response.status(200).send(`not JSON: ${secret}`),
    (response) => void response.redirect(302, `http://127.0.0.1:1/${secret}`),
  ];
  let told: (response: Response) => void = () => undefined;
  const service = await startRawService((response) => told(response));
  const tools = [toolAt(service.url), toolAt(`http://127.0.0.1:1/${"x".repeat(8)}`, { name: "gone" })];
  const agentId = await agentWith(world, { model: "scripted/turns", tools });
  for (const answer of answers) {
    told = answer;
    await play(world, agentId, { script: { turns: [calls("lookup_order"), { text: "done" }] } });
  }
  await play(world, agentId, { script: { turns: [calls("gone"), { text: "done" }] } });
  service.calls.forEach(({ headers }, index) => {
    world.values.set(`the signature of call ${index}`, String(headers["x-ya-signature"]).replace("sha256=", ""));
    world.values.set(`the other signature of call ${index}`, String(headers["webhook-signature"]).replace("v1,", ""));
  });
  world.known.push("shipped by Hermes");
};

/** A result that is brought later, with a token that opens one call. */
export const callbacks: Story = async (world) => {
  const service = await startRawService((response) => void response.status(202).json({ pending: true }));
  const agentId = await agentWith(world, { model: "scripted/turns", tools: [toolAt(service.url, { async: true })] });
  const script = { turns: [calls("lookup_order"), { text: "done" }] };
  const started = await world.ask("POST", `/v1/agents/${agentId}/executions`, { body: { input: "go", script } });
  await expect.poll(() => service.calls.length).toBe(1);
  const { callback } = JSON.parse(service.calls[0]?.body.toString() ?? "{}");
  world.values.set("the token of a callback", callback.token);
  const { pathname } = new URL(callback.url);
  const body = { result: { told: callback.token } };
  expect((await world.ask("POST", pathname, { key: `${callback.token}x`, body })).status).toBe(401);
  expect((await world.ask("POST", pathname, { key: callback.token, body })).status).toBe(200);
  const id = made(started);
  // The events end with the execution.
  for (const part of ["/events", "", "/tool-calls", "/receipt"]) await world.ask("GET", `/v1/executions/${id}${part}`);
};

/** Model providers with the gateway's key and with a workspace's, which are refused and quoted. */
export const modelProviders: Story = async (world) => {
  const secret = world.values.get("the signing secret") ?? "";
  const service = await startRawService((response) => void response.json({ result: `shipped, ${secret}` }));
  const agentId = await agentWith(world, { model: "openai/gpt-5", tools: [toolAt(service.url)] });
  expect((await play(world, agentId, {})).json["status"]).toBe("completed");
  expect((await play(world, agentId, {})).json["status"]).toBe("failed");
  await world.ask("PUT", "/v1/providers/openai", { body: { apiKey: "workspace-secret://OPENAI_KEY" } });
  expect((await play(world, agentId, {})).json["status"]).toBe("failed");
  await world.ask("GET", "/v1/providers/openai");
  await world.ask("DELETE", "/v1/providers/openai");
};

/** A model that knows a credential of its agent, as something that was pasted into a conversation long ago. */
export const tellingModel: Story = async (world) => {
  const { ask, values } = world;
  const value = `sk-${randomBytes(24).toString("hex")}`;
  values.set("a credential that a model knows", value);
  const secret = { value, auth: { type: "bearer" }, hosts: ["127.0.0.1"] };
  expect((await ask("PUT", "/v1/secrets/KNOWN_KEY", { body: secret })).status).toBe(200);
  made(await ask("POST", "/v1/integrations", { body: { name: "local", allowedDomains: ["127.0.0.1"], ports: [80] } }));
  const service = await startRawService((response) => void response.json({ result: "kept" }));
  const agentId = await agentWith(world, {
    model: "openai/gpt-5",
    tools: [toolAt(service.url), { builtin: "http_post" }],
    integrations: ["local"],
    credentials: ["KNOWN_KEY"],
    policy: { network: true },
  });
  const played = await play(world, agentId, {});
  expect(played.json["output"]).toEqual({ text: "I have sent ***KNOWN_KEY*** to nobody" });
  const { json } = await ask("GET", `/v1/executions/${played.json["id"]}/tool-calls`);
  const codes = Array.isArray(json["data"]) ? json["data"].map(({ error }) => error.code) : [];
  expect(codes).toEqual(["CREDENTIAL_LEAK", "CREDENTIAL_LEAK", "CREDENTIAL_LEAK", "UNKNOWN_TOOL", "INVALID_ARGUMENTS"]);
  expect(service.calls).toEqual([]);
  world.known.push("***KNOWN_KEY***");
};

/** A token of one execution, right and wrong. */
export const executionTokens: Story = async (world) => {
  const agentId = await agentWith(world, { model: "scripted/turns", tools: [{ builtin: "datetime" }] });
  const id = made(await play(world, agentId, { script: { turns: [{ text: "done" }] } }));
  await world.ask("POST", `/v1/executions/${id}/tokens`, {
    body: { expiresInSeconds: 60 },
    shows: { token: "the token of an execution" },
  });
  const token = world.values.get("the token of an execution") ?? "";
  expect((await world.ask("GET", `/v1/executions/${id}/events`, { key: token })).status).toBe(200);
  expect((await world.ask("GET", "/v1/agents", { key: token })).status).toBe(403);
  expect((await world.ask("GET", `/v1/executions/${id}`, { key: `${token}x` })).status).toBe(401);
};

/** What a gateway tells of itself. */
export const operations: Story = async (world) => {
  for (const path of ["/metrics", "/readyz", "/healthz", "/openapi.json", "/v1/endpoints", "/v1/executions"]) {
    expect((await world.ask("GET", path)).status).toBe(200);
  }
  await world.ask("GET", "/v1/nowhere");
};

/**
 * Everything in which a secret may get where it must not. A kind of tool that sends credentials adds its story here: what
 * it plants goes into `world.values`, and what must be found into `world.known`.
 */
export const STORIES: readonly Story[] = [
  administration,
  signedTools,
  callbacks,
  httpTools,
  modelProviders,
  tellingModel,
  executionTokens,
  operations,
];
