import { readMcpTask } from "@yagate/mcp/client/tasks";
import { type JsonValue, receiptSchema, scopeSchema } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../test/services/free-port.ts";
import { openGuard } from "../../../mcp/test/client/support/guarded.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { createGateway } from "../../src/gateway.ts";
import { startTokenIssuer, type TokenIssuer } from "../mcp-access/token-issuer.ts";
import { expectStatus, makeAgent } from "./support/agents.ts";
import { startApp } from "./support/app.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { connectHost } from "./support/mcp-host.ts";
import { signInHost } from "./support/oauth-host.ts";
import { startWorld, type World } from "./support/world.ts";

const endpointOf = openGuard();

interface Trusted {
  readonly issuer: TokenIssuer;
  /** Default: the workspace `default`. */
  readonly workspace?: string;
}

/** Starts a gateway that hosts know by its own URL, and that accepts the tokens of these issuers. */
async function startGateway(trusted: readonly Trusted[], rest: Partial<GatewayConfig> = {}): Promise<World> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const mcpIssuers = trusted.map(({ issuer: { issuer }, workspace = "default" }) => ({
    ...{ issuer, audience: `${publicUrl}/mcp`, workspace },
    scopes: ["agents" as const, "executions" as const],
  }));
  const world = await startWorld({ port, publicUrl, mcpIssuers, ...rest });
  onTestFinished(() => world.stop());
  return world;
}

async function send({ url }: Pick<World, "url">, token?: string, headers: Record<string, string> = {}) {
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
}

const tokenFor = ({ url }: World, issuer: TokenIssuer) => issuer.sign(`${url}/mcp`);

it("lets the official client sign in at the issuer and call an agent", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([{ issuer }]);
  const handler = await startHandler();
  const tools = [workTool(handler.url)];
  await makeAgent(world, { name: "Order desk", exposed: true, tools, model: "scripted/keyword" });

  const { host, token } = await signInHost(world.url, issuer);
  const { tools: offered } = await host.listTools();
  expect(offered.map(({ name }) => name)).toEqual(["order_desk", "execution_result"]);
  const { _meta, isError } = await host.callTool({ name: "order_desk", arguments: { input: "work" } });
  expect([isError ?? false, _meta?.["yagate/executionStatus"]]).toEqual([false, "completed"]);

  const id = String(_meta?.["yagate/executionId"]);
  const receipt = receiptSchema.parse(expectStatus(await world.call("getReceipt", { params: { id } }), 200));
  const subject = `oidc:${issuer.issuer}:alice`;
  expect(receipt).toMatchObject({ verified: true, keyId: subject });
  expect(JSON.stringify(receipt.account)).toContain(JSON.stringify(`The subject "${subject}"`).slice(1, -1));
  expect(token.split(".")).toHaveLength(3);
  const { data } = expectStatus(await world.call("listToolCalls", { params: { id } }), 200) as { data: JsonValue[] };
  expect(handler.requests).toHaveLength(1);
  expect(JSON.stringify([handler.requests, data])).not.toContain(token.slice(-30));
});

it("tells clients without a valid token where the issuers are", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([{ issuer }]);
  const metadataUrl = `${world.url}/.well-known/oauth-protected-resource/mcp`;
  const missing = await send(world);
  expect(missing.status).toBe(401);
  expect(missing.headers.get("www-authenticate")).toBe(`Bearer realm="yagate", resource_metadata="${metadataUrl}"`);
  const wrong = await send(world, await issuer.sign(`${world.url}/other`));
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toBe(
    `Bearer realm="yagate", error="invalid_token", resource_metadata="${metadataUrl}"`,
  );
  for (const url of [metadataUrl, `${world.url}/.well-known/oauth-protected-resource`]) {
    expect(await (await fetch(url)).json()).toEqual({
      resource: `${world.url}/mcp`,
      resource_name: "Yagate",
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ["header"],
    });
  }
});

it("names itself as clients write URLs, however its public URL is written", async () => {
  const issuer = await startTokenIssuer();
  const publicUrl = "https://Büro.Example:443/";
  const audience = "https://xn--bro-hoa.example/mcp";
  const trusted = { issuer: issuer.issuer, audience, workspace: "default", scopes: ["executions" as const] };
  const world = await startGateway([], { publicUrl, mcpIssuers: [trusted] });
  const missing = await send(world);
  expect(missing.status).toBe(401);
  expect(missing.headers.get("www-authenticate")).toContain(
    'resource_metadata="https://xn--bro-hoa.example/.well-known/oauth-protected-resource/mcp"',
  );
  const metadata = await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`);
  expect(await metadata.json()).toMatchObject({ resource: audience });
  expect((await send(world, await issuer.sign(audience))).status).toBe(200);
});

it("names no issuers if none are configured", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([]);
  const refused = await send(world, await tokenFor(world, issuer));
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="yagate"');
  expect((await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
  expect(issuer.requests).toEqual([]);
});

it("goes on accepting API keys, and rejects those without the scope", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([{ issuer }]);
  expect((await send(world, world.key)).status).toBe(200);
  expect((await send(world, (await world.makeKey(["agents"])).text)).status).toBe(403);
  expect((await send(world, "yk_unknown")).status).toBe(401);
});

it("accepts access tokens only at /mcp, so they decide no approval", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([{ issuer }]);
  const handler = await startHandler();
  const tools = [workTool(handler.url, { approval: "always" })];
  await makeAgent(world, { name: "Order desk", exposed: true, tools, model: "scripted/keyword" });
  const key = await tokenFor(world, issuer);
  const host = await connectHost("modern", { url: world.url, key });
  const { _meta } = await host.callTool({ name: "order_desk", arguments: { input: "work" } });
  const id = String(_meta?.["yagate/approvalIds"]);
  expect(id).toMatch(/^apr_/);
  for (const [operation, params] of [
    ["listAgents", {}],
    ["getApproval", { id }],
    ["approve", { id }],
    ["getExecution", { id: String(_meta?.["yagate/executionId"]) }],
  ] as const) {
    expect(await world.call(operation, { params: params as never, key })).toMatchObject({ status: 401 });
  }
  expect(handler.requests).toEqual([]);
});

it("gives a subject the results of its own executions only", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([{ issuer }]);
  await makeAgent(world, { name: "Order desk", exposed: true, model: "scripted/keyword" });
  const connect = (key: string) => connectHost("modern", { url: world.url, key });
  const signedIn = async (sub: string) => connect(await issuer.sign(`${world.url}/mcp`, { claims: { sub } }));
  const taskBy = async (sub: string, taskId: string) => {
    const authorization = `Bearer ${await issuer.sign(`${world.url}/mcp`, { claims: { sub } })}`;
    const bounds = { timeoutMs: 20_000, maxResponseBytes: 100_000, signal: new AbortController().signal };
    return (await readMcpTask(endpointOf(`${world.url}/mcp`, { authorization }), { taskId, ...bounds })).status;
  };
  const hosts = { alice: await signedIn("alice"), bob: await signedIn("bob"), key: await connect(world.key) };
  const run = async (host: keyof typeof hosts) => {
    const { _meta } = await hosts[host].callTool({ name: "order_desk", arguments: { input: "hello" } });
    return String(_meta?.["yagate/executionId"]);
  };
  const readers = async (executionId: string) => {
    const read: string[] = [];
    for (const [name, host] of Object.entries(hosts)) {
      const result = await host.callTool({ name: "execution_result", arguments: { executionId } });
      if (result.isError !== true) read.push(name);
      else expect(result.content).toMatchObject([{ text: expect.stringMatching(/^NOT_FOUND: no execution/) }]);
    }
    return read;
  };
  expect(await readers(await run("alice"))).toEqual(["alice", "key"]);
  expect(await readers(await run("key"))).toEqual(["key"]);
  const executionId = await run("alice");
  expect([await taskBy("alice", executionId), await taskBy("bob", executionId)]).toEqual(["completed", "unknown"]);
});

it("gives the tokens of each issuer access to its workspace only", async () => {
  const [first, second] = [await startTokenIssuer(), await startTokenIssuer({ subject: "bob" })];
  const before = await startWorld();
  const tenant = await before.makeWorkspace("tenant");
  const { key } = tenant;
  await makeAgent(before, { name: "Own desk", exposed: true });
  await makeAgent(before, { name: "Tenant desk", exposed: true }, { key });
  await before.close();
  const { dataDir, key: apiKey } = before;
  const trusted = [{ issuer: first }, { issuer: second, workspace: tenant.workspaceId }];
  // More than the few requests of a host that connects.
  const plans = { standard: { requestsPerSecond: 10 } };
  const world = await startGateway(trusted, { dataDir, apiKey, plans });
  const namesOf = async (issuer: TokenIssuer) => {
    const host = await connectHost("legacy", { url: world.url, key: await tokenFor(world, issuer) });
    return (await host.listTools()).tools.map(({ name }) => name);
  };
  expect(await namesOf(first)).toEqual(["own_desk", "execution_result"]);
  expect(await namesOf(second)).toEqual(["tenant_desk", "execution_result"]);

  // Requests with tokens count towards the limits of their workspace, and only of theirs.
  const token = await tokenFor(world, second);
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await send(world, token)).status));
  expect(statuses).toContain(429);
  expect((await send(world, await tokenFor(world, first))).status).toBe(200);
});

it("rejects pages of other origins that have a token", async () => {
  const issuer = await startTokenIssuer();
  const world = await startGateway([{ issuer }]);
  const token = await tokenFor(world, issuer);
  expect((await send(world, token, { origin: "https://page.example" })).status).toBe(403);
});

it("says that it cannot read the keys of an issuer", async () => {
  const issuer = await startTokenIssuer({ metadata: () => ({}) });
  const world = await startGateway([{ issuer }]);
  const failed = await send(world, await tokenFor(world, issuer));
  expect(await failed.json()).toMatchObject({ status: 503, code: "UNAVAILABLE" });
});

it("does not start with workspaces that do not exist", async () => {
  const publicUrl = "https://yagate.example";
  const { dataDir, ...world } = await startWorld();
  onTestFinished(() => world.stop());
  await world.close();
  const rest = { audience: `${publicUrl}/mcp`, scopes: ["executions" as const] };
  const mcpIssuers = ["ws_01m7yj864ke00brb1mkxjenfhm", "ws_01m7yj864ke00brb1mkxjenfhn"].map((workspace, index) => ({
    ...{ issuer: `https://login-${index}.example`, workspace, ...rest },
  }));
  const gateway = createGateway({ port: 0, dataDir, publicUrl, mcpIssuers });
  await expect(gateway.start()).rejects.toMatchObject({
    code: "NOT_CONFIGURED",
    message: expect.stringContaining(mcpIssuers.map(({ workspace }) => workspace).join(", ")),
  });
});

it("names the subject of a token in the audit log", async () => {
  const keyId = "oidc:https://login.example.com:alice";
  const app = await startApp({
    app: ({ defaultWorkspaceId }) => ({
      authenticate: async () => ({ workspaceId: defaultWorkspaceId, keyId, scopes: new Set(scopeSchema.options) }),
    }),
  });
  onTestFinished(() => app.stop());
  await makeAgent(app);
  const { data } = expectStatus(await app.call("listAuditEntries", { query: { keyId } }), 200) as { data: JsonValue[] };
  expect(data).toMatchObject([{ action: "agent.created", actor: { type: "oidc", keyId, keyName: null } }]);
});
