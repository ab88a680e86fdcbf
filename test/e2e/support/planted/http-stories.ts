import { randomBytes } from "node:crypto";
import type { Response } from "express";
import { expect } from "vitest";
import { API_HOST, type ApiRequest, type ApiService, startApiService } from "../api-service.ts";
import type { Played } from "../model-server.ts";
import type { PlantedWorld } from "./planted-world.ts";
import { agentWith, made, play, type Story } from "./story.ts";

/** How each secret goes along; the last two are filled into a template, and go to a request's host as they are. */
const SECRETS = {
  HTTP_BEARER: { type: "bearer" },
  HTTP_HEADER: { type: "header", name: "X-Api-Key" },
  HTTP_QUERY: { type: "query_param", name: "key" },
  HTTP_SIGNED: { type: "signed_token", issuer: "yagate" },
  HTTP_COMPOSED: null,
  HTTP_HOOK: null,
} as const;
const CREDENTIALS = ["HTTP_BEARER", "HTTP_HEADER", "HTTP_QUERY", "HTTP_SIGNED"] as const;

interface Request {
  readonly name: string;
  readonly parameters: object;
}

/** A request of every kind of tool that sends a secret. */
function requestsTo(url: string): readonly Request[] {
  return [
    ...CREDENTIALS.map((credential) => ({
      name: "api_call",
      parameters: { method: "POST", url: `${url}/orders`, credential, body: { note: "by api_call" } },
    })),
    { name: "add_note", parameters: { text: "by add_note" } },
    { name: "tell_hook", parameters: { text: "by tell_hook" } },
    ...CREDENTIALS.map((credential) => ({ name: `orders.${credential.toLowerCase()}`, parameters: { id: "7" } })),
  ];
}

/** What a model does with them: it has no template's URL, only the one that it was told. */
export const httpTurns: readonly Played[] = [
  ({ messages }) => {
    const url =
      String(messages.findLast(({ role }) => role === "user")?.content)
        .split(" ")
        .at(-1) ?? "";
    const named = (name: string) => name.replaceAll(".", "_");
    const calls = requestsTo(url).map(({ name, parameters }) => ({
      name: named(name),
      arguments: JSON.stringify(parameters),
    }));
    return { calls };
  },
  { text: "all of them were made" },
];

/** What a request says, in the disguises in which services give it back. */
function echoOf({ url, headers, body }: ApiRequest) {
  const parts = [url, decodeURIComponent(url), headers["authorization"], headers["x-api-key"], headers["x-note"], body];
  const said = parts.filter((part): part is string => part !== undefined && part !== "");
  return {
    carrier: "echoed by Hermes",
    said,
    base64: said.map((part) => Buffer.from(part).toString("base64")),
    shifted: said.map((part) => Buffer.from(`x${part}`).toString("base64url")),
    hex: said.map((part) => Buffer.from(part).toString("hex")),
    percent: said.map((part) => encodeURIComponent(part)),
    named: Object.fromEntries(said.map((part) => [part, 1])),
  };
}

const visible = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, "");

/** Everything that a request says, as its reader reads it. */
function valuesIn({ url, headers, body }: ApiRequest): readonly string[] {
  const members: unknown = body === "" ? {} : JSON.parse(body);
  const texts = typeof members === "object" && members !== null ? Object.values(members).map(String) : [];
  return [decodeURIComponent(url), ...Object.values(headers), ...texts];
}

type Answer = (request: ApiRequest, response: Response) => void;

const tellAll: Answer = (request, response) => {
  const { said } = echoOf(request);
  said.forEach((part, index) => void response.set(`x-echo-${index}`, visible(part)));
  response.json(echoOf(request));
};

/** Services that tell what they were sent, in answers that are good, bad, large and none. */
const ANSWERS: readonly Answer[] = [
  tellAll,
  (request, response) => void response.status(401).json({ error: { code: "NO", message: echoOf(request) } }),
  (request, response) =>
    void response
      .status(500)
      .type("text/html")
      .send(`<p>${JSON.stringify(echoOf(request))}</p>`),
  (request, response) => void response.redirect(302, `http://${API_HOST}:1/?${encodeURIComponent(request.url)}`),
  (request, response) => void response.json({ padding: "x".repeat(80_000), ...echoOf(request) }),
  (request, response) => void response.type("text/plain").send(`not JSON: ${echoOf(request).said.join(" ")}`),
  (_request, response) => void response.destroy(),
];

function parametersOf(): {
  readonly type: "object";
  readonly properties: object;
  readonly required: readonly string[];
} {
  return { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
}

const composed = (url: string) => ({
  ...{ name: "add_note", description: "Adds a note.", parameters: parametersOf() },
  implementation: {
    primitive: "http_request",
    args: {
      ...{ method: "POST", url: `${url}/notes/\${secrets.HTTP_COMPOSED}` },
      headers: { "X-Note": "Token ${secrets.HTTP_COMPOSED}" },
      query: { key: "${secrets.HTTP_COMPOSED}" },
      body: { text: "${text}", key: "${secrets.HTTP_COMPOSED}" },
    },
  },
});

const hook = (url: string) => ({
  ...{ name: "tell_hook", description: "Tells a hook.", parameters: parametersOf() },
  implementation: {
    primitive: "webhook",
    args: { url: `${url}/hook`, body: { text: "${text}", key: "${secrets.HTTP_HOOK}" } },
  },
});

const rest = (url: string, credential: string) => ({
  rest: {
    ...{ name: `orders.${credential.toLowerCase()}`, description: "Reads an order.", method: "GET", credential },
    ...{ url: `${url}/orders/{id}`, parameters: [{ name: "id", in: "path", type: "string" }] },
  },
});

/** A tool with a credential is tried, and what came back is kept with it. */
async function testTools({ ask }: PlantedWorld, url: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const credential of CREDENTIALS) {
    const id = made(await ask("POST", "/v1/tools", { body: { definition: rest(url, credential) } }));
    const tested = await ask("POST", `/v1/tools/${id}/test`, { body: { parameters: { id: "7" } } });
    expect(tested.json["status"]).toBe("tested");
    expect((await ask("GET", `/v1/tools/${id}/test`)).text).toContain("echoed by Hermes");
    await ask("POST", `/v1/tools/${id}/validate`);
    expect((await ask("POST", `/v1/tools/${id}/finalize`)).json["status"]).toBe("created");
    const preview = await ask("POST", "/v1/tools/preview", { body: { tool: id, parameters: { id: "7" } } });
    expect(preview.text).toContain(`***${credential}***`);
    ids.push(id);
  }
  return ids;
}

const SOON = { timeout: 15_000 };

/** A person is shown what is about to be sent, and lets it go. */
async function approveRequests({ ask, values }: PlantedWorld, agentId: string, turns: object): Promise<void> {
  const scopes = ["approvals"];
  await ask("POST", "/v1/api-keys", { body: { name: "desk", scopes }, shows: { key: "the key of a desk" } });
  const key = values.get("the key of a desk") ?? "";
  const id = made(await ask("POST", `/v1/agents/${agentId}/executions`, { body: { input: "go", script: turns } }));
  const waiting = async () => (await ask("GET", "/v1/approvals?status=pending&limit=200", { key })).json["data"];
  await expect.poll(async () => [await waiting()].flat().length, SOON).toBe(requestsTo("").length);
  for (const approval of [await waiting()].flat()) {
    const { id: approvalId } = JSON.parse(JSON.stringify(approval));
    expect((await ask("POST", `/v1/approvals/${approvalId}/approve`, { key, body: {} })).status).toBe(200);
  }
  await expect.poll(async () => (await ask("GET", `/v1/executions/${id}`)).json["status"], SOON).toBe("completed");
  for (const part of ["/events", "/tool-calls", "/receipt"]) await ask("GET", `/v1/executions/${id}${part}`);
}

/** Requests to a service of others, with each form of credential and with secrets in a template. */
export const httpTools: Story = async (world) => {
  const { ask, values } = world;
  let answer = tellAll;
  const service: ApiService = await startApiService((request, response) => answer(request, response));
  const { url, port } = service;
  for (const [name, auth] of Object.entries(SECRETS)) {
    values.set(`the secret ${name}`, `${randomBytes(24).toString("hex")} "q" \\ /+?=&`);
    const body = { value: values.get(`the secret ${name}`), hosts: [API_HOST], ...(auth === null ? {} : { auth }) };
    expect((await ask("PUT", `/v1/secrets/${name}`, { body })).status).toBe(200);
    world.known.push(name);
  }
  await ask("POST", "/v1/integrations", { body: { name: "shop", allowedDomains: [API_HOST], ports: [port] } });
  const tested = await testTools(world, url);
  const agent = {
    tools: [{ builtin: "api_call" }, composed(url), hook(url), ...tested.map((tool) => ({ tool }))],
    ...{ integrations: ["shop", "webhook"], webhookUrls: [`${url}/hook`], credentials: CREDENTIALS },
    ...{ policy: { network: true }, model: "scripted/turns" },
  };
  const agentId = await agentWith(world, agent);
  const turns = { turns: [{ toolCalls: requestsTo(url) }, { text: "done" }] };
  for (const { name, parameters } of requestsTo(url)) {
    await ask("POST", "/v1/tools/preview", { body: { agentId, tool: name, parameters } });
  }
  for (const given of ANSWERS) {
    answer = given;
    expect((await play(world, agentId, { script: turns })).json["status"]).toBe("completed");
  }
  answer = tellAll;

  const asking = { ...agent, policy: { network: true, approval: "always" } };
  await approveRequests(world, await agentWith(world, asking), turns);
  const before = service.requests.length;
  const withModel = await agentWith(world, { ...agent, model: "openai/gpt-5" });
  expect((await play(world, withModel, { input: `Ask ${url}` })).json["status"]).toBe("completed");
  expect(service.requests.length).toBe(before + requestsTo(url).length);

  // Each of them went out, the one as tokens.
  const sent = service.requests.flatMap(valuesIn);
  for (const name of Object.keys(SECRETS).filter((secret) => secret !== "HTTP_SIGNED")) {
    const value = values.get(`the secret ${name}`) ?? "";
    expect({ name, isSent: sent.some((text) => text.includes(value)) }).toEqual({ name, isSent: true });
  }
  const tokens = new Set(sent.filter((text) => text.startsWith("Bearer eyJ")));
  expect(tokens.size).toBeGreaterThan(10);
  for (const [index, token] of [...tokens].entries()) values.set(`token ${index} of a request`, token.slice(7));

  // Where a secret may not go any more, and where it is gone.
  await ask("PUT", "/v1/secrets/HTTP_COMPOSED", {
    body: { value: values.get("the secret HTTP_COMPOSED"), hosts: ["api.shop.example"] },
  });
  await ask("DELETE", "/v1/secrets/HTTP_HEADER");
  await play(world, agentId, { script: turns });
  world.known.push("echoed by Hermes", "***HTTP_QUERY***", "[redacted:HTTP_BEARER]");
};
