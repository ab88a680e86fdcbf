import { auditEntrySchema, pageSchema, startedLoginSchema, type ToolSource, toolSourceSchema } from "@yagate/protocol";
import { afterAll, expect, it } from "vitest";
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from "../../../../../test/services/authorization-server.ts";
import { startProtectedMcpServer } from "../../../../../test/services/protected-mcp-server.ts";
import { expectStatus } from "../support/agents.ts";
import { startMcpWorld } from "../support/mcp-world.ts";

const world = await startMcpWorld();
afterAll(() => world.stop());

const SIGN_IN = { code: "SOURCE_UNAUTHORIZED", message: "the tool source is not signed in to its MCP server" };

/** An MCP server with its issuer, and a source that has not signed in yet. */
async function startSource(options: AuthorizationServerOptions = {}, oauth: object = {}) {
  const authorization = await startAuthorizationServer(options);
  const mcp = await startProtectedMcpServer(authorization);
  const auth = { oauth: { issuer: authorization.issuer, clientId: "registered", ...oauth } };
  return { authorization, mcp, source: await world.makeMcpSource(mcp, { auth }) };
}

/** Signs in up to the page in the browser. */
async function openPage({ id }: ToolSource, authorization: AuthorizationServer) {
  const started = await world.call("startToolSourceLogin", { params: { id } });
  const { authorizationUrl } = startedLoginSchema.parse(expectStatus(started, 201));
  const callback = await authorization.consent(authorizationUrl);
  expect(callback.href.startsWith(`${world.url}/oauth/callback?`)).toBe(true);
  const response = await fetch(callback);
  return { callback, response, page: await response.text() };
}

async function signIn(source: ToolSource, authorization: AuthorizationServer): Promise<ToolSource> {
  const { page } = await openPage(source, authorization);
  const code = /<strong>(.+)<\/strong>/.exec(page)?.[1] ?? "";
  const confirmed = await world.call("confirmToolSourceLogin", { params: { id: source.id }, body: { code } });
  return toolSourceSchema.parse(expectStatus(confirmed, 200));
}

it("signs in, reads the tools, calls one, and renews the tokens when the server rejects them", async () => {
  const { authorization, mcp, source } = await startSource({ idToken: { email: "ada@example.com" } });
  expect(source).toMatchObject({ status: "unauthorized", reason: SIGN_IN, toolCounts: { published: 0 } });
  expect(mcp.requests).toEqual([]);
  const { status, reason, toolCounts } = await signIn(source, authorization);
  expect({ status, reason }).toEqual({ status: "changed", reason: null });
  expect(toolCounts.held).toBe(1);
  const accepted = await world.accept(source.id);
  const first = await world.callTool(accepted, "echo", { text: "one" });
  expect(first).toMatchObject({ status: "completed", result: "echo: one" });
  authorization.expireTokens();
  const second = await world.callTool(accepted, "echo", { text: "two" });
  expect(second).toMatchObject({
    status: "completed",
    result: "echo: two",
    attempts: [{ number: 1, httpStatus: 200 }],
  });
  expect(authorization.tokenRequests()).toHaveLength(2);
  authorization.expireTokens();
  authorization.revokeGrants();
  expect((await world.callTool(accepted, "echo", { text: "three" })).status).toBe("failed");
  expectStatus(await world.call("syncToolSource", { params: { id: source.id } }), 502);
  expect(await world.readSource(source.id)).toMatchObject({ status: "unauthorized", reason: SIGN_IN });
  expect((await signIn(source, authorization)).status).toBe("ready");
  expect((await world.callTool(accepted, "echo", { text: "four" })).result).toBe("echo: four");

  const answers = await Promise.all([
    world.call("getToolSource", { params: { id: source.id } }),
    world.call("listAuditEntries", { query: { limit: "200" } }),
    world.call("getToolCall", { params: { id: second.id } }),
    world.call("getReceipt", { params: { id: second.executionId } }),
    world.call("getExecution", { params: { id: second.executionId } }),
    world.call("getMetrics"),
  ]);
  for (const answer of answers) expect(answer.status).toBe(200);
  const seen = JSON.stringify(answers.map(({ body }) => body));
  for (const secret of authorization.secrets) expect(seen).not.toContain(secret);
});

it("writes who signed in to the audit log", async () => {
  const { authorization, mcp, source } = await startSource({ idToken: { sub: "user-7" } });
  await signIn(source, authorization);
  const query = { resourceId: source.id, action: "tool_source.signed_in" };
  const { data } = pageSchema(auditEntrySchema).parse((await world.call("listAuditEntries", { query })).body);
  expect(data).toMatchObject([
    {
      resource: { type: "tool_source", id: source.id, name: source.name },
      before: null,
      after: { issuer: authorization.issuer, resource: mcp.url, account: "user-7" },
    },
  ]);
});

it("shows a plain page that runs and loads nothing, and repeats nothing of the request", async () => {
  const { authorization, source } = await startSource();
  const { callback, response, page } = await openPage(source, authorization);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page).toMatch(/<strong>[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}<\/strong>/);
  expect(page).not.toMatch(/<script|<style|<link|<img|href=|src=|http/);
  const again = await fetch(callback);
  expect(again.status).toBe(400);
  expect(await again.text()).toContain("already used");
  for (const query of [
    "",
    "?state=%3Cscript%3E&error=%3Cb%3Eplanted",
    "?state=a&state=b",
    `?state=${"a".repeat(9_000)}`,
  ]) {
    const refused = await fetch(`${world.url}/oauth/callback${query}`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toBe(await (await fetch(callback)).text());
  }
});

it("does not use a state for a request that shows no page", async () => {
  const { authorization, source } = await startSource();
  const started = await world.call("startToolSourceLogin", { params: { id: source.id } });
  const { authorizationUrl } = startedLoginSchema.parse(expectStatus(started, 201));
  const callback = await authorization.consent(authorizationUrl);
  await fetch(callback, { method: "HEAD" });
  expect((await fetch(callback)).status).toBe(200);
});

it("confirms a sign-in only for the API key that started it", async () => {
  const { authorization, source } = await startSource();
  const { page } = await openPage(source, authorization);
  const code = /<strong>(.+)<\/strong>/.exec(page)?.[1] ?? "";
  const { text: key } = await world.makeKey(["tools"]);
  const params = { id: source.id };
  const other = await world.call("confirmToolSourceLogin", { params, key, body: { code } });
  expect(expectStatus(other, 409)).toMatchObject({ code: "CONFLICT" });
  const wrong = await world.call("confirmToolSourceLogin", { params, body: { code: "2222-2222" } });
  expect(expectStatus(wrong, 422)).toMatchObject({ errors: [{ path: "code", code: "WRONG_CODE" }] });
  expectStatus(await world.call("confirmToolSourceLogin", { params, body: { code } }), 200);
});

it("forgets the tokens when the source is deleted or moves to another issuer", async () => {
  const { authorization, source } = await startSource();
  await signIn(source, authorization);
  const other = await startAuthorizationServer();
  const oauth = { issuer: other.issuer, clientId: "registered" };
  const params = { id: source.id };
  const moved = await world.call("updateToolSource", { params, body: { auth: { oauth } } });
  expect(expectStatus(moved, 200)).toMatchObject({ status: "unauthorized", reason: SIGN_IN });
  const back = { oauth: { ...oauth, issuer: authorization.issuer } };
  const returned = await world.call("updateToolSource", { params, body: { auth: back } });
  expect(expectStatus(returned, 200)).toMatchObject({ status: "unauthorized", reason: SIGN_IN });
  // The server names another issuer than the source, so nothing is sent to the other one.
  expect(other.requests).toEqual([]);
  expectStatus(await world.call("deleteToolSource", { params }), 204);
  expectStatus(await world.call("startToolSourceLogin", { params }), 404);
});

it("signs in by itself with a client secret, which is bound to the host of the token endpoint", async () => {
  const secret = "planted-client-secret-0123";
  const name = "TICKETS_CLIENT";
  await world.call("putSecret", { params: { name }, body: { value: secret, hosts: ["127.0.0.1"] } });
  const oauth = { grant: "client_credentials", clientSecret: name };
  const { authorization, source } = await startSource({ clientSecret: secret }, oauth);
  expect(source).toMatchObject({ status: "ready", toolCounts: { accepted: 1 } });
  expect((await world.callTool(source, "echo", { text: "hi" })).result).toBe("echo: hi");
  expect(authorization.tokenRequests()).toHaveLength(1);
  const login = await world.call("startToolSourceLogin", { params: { id: source.id } });
  expect(expectStatus(login, 409)).toMatchObject({ code: "CONFLICT" });
});

it.each<[string, object, string]>([
  ["no issuer", { issuer: undefined }, "auth.oauth.issuer"],
  ["an issuer that is no URL", { issuer: "login" }, "auth.oauth.issuer"],
  ["an issuer with a query", { issuer: "https://login.example.com?a=b" }, "auth.oauth.issuer"],
  ["a client secret without a client", { clientId: undefined, clientSecret: "KEY" }, "auth.oauth.clientId"],
  ["client credentials without a secret", { grant: "client_credentials" }, "auth.oauth.clientSecret"],
  ["a secret that does not exist", { clientSecret: "NOT_THERE" }, "auth.oauth.clientSecret"],
  ["a scope with a space", { scopes: ["a b"] }, "auth.oauth.scopes[0]"],
  ["an issuer that is blocked", { issuer: "https://10.0.0.1" }, "auth.oauth.issuer"],
])("refuses settings with %s", async (_name, oauth, path) => {
  const auth = { oauth: { issuer: "https://login.example.com", clientId: "registered", ...oauth } };
  const body = { name: "refused", kind: "mcp", url: "https://mcp.example.com/mcp", auth };
  const answer = await world.call("createToolSource", { body });
  expect(expectStatus(answer, 422)).toMatchObject({ errors: [{ path }] });
});

it("publishes a document that identifies the gateway to issuers", async () => {
  const response = await fetch(`${world.url}/oauth/client.json`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    client_id: `${world.url}/oauth/client.json`,
    redirect_uris: [`${world.url}/oauth/callback`],
    token_endpoint_auth_method: "none",
  });
});

it("uses a token and a sign-in only for the source that they belong to", async () => {
  const { authorization, source } = await startSource();
  const other = await startProtectedMcpServer(authorization);
  const auth = { oauth: { issuer: authorization.issuer, clientId: "registered" } };
  const second = await world.makeMcpSource(other, { auth });
  await signIn(source, authorization);
  expectStatus(await world.call("syncToolSource", { params: { id: second.id } }), 502);
  expect(other.requests.filter((request) => request.authorization !== undefined)).toEqual([]);
  const { page } = await openPage(source, authorization);
  const code = /<strong>(.+)<\/strong>/.exec(page)?.[1] ?? "";
  const confirmed = await world.call("confirmToolSourceLogin", { params: { id: second.id }, body: { code } });
  expect(confirmed).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  expect(await world.readSource(second.id)).toMatchObject({ status: "unauthorized", reason: SIGN_IN });
  expect(other.requests.filter((request) => request.authorization !== undefined)).toEqual([]);
});

it("is not signed in with a token for another audience, and sends that token to no other server", async () => {
  const foreign = "planted-token-of-another-audience";
  const { mcp, authorization, source } = await startSource({
    token(response) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: foreign, token_type: "Bearer", expires_in: 3_600 }));
      return true;
    },
  });
  expect(await signIn(source, authorization)).toMatchObject({
    status: "unauthorized",
    reason: { code: "SOURCE_UNAUTHORIZED" },
    toolCounts: { published: 0 },
  });
  expect(mcp.requests.some((request) => request.authorization === `Bearer ${foreign}`)).toBe(true);
  const elsewhere = authorization.requests.filter(({ headers, body }) =>
    JSON.stringify([headers, body]).includes(foreign),
  );
  expect(elsewhere).toEqual([]);
});
