import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createdApiKeySchema,
  createdWorkspaceSchema,
  executionTokenSchema,
  generateSigningSecret,
  rotatedSigningSecretSchema,
  startedLoginSchema,
  toolSourceSchema,
} from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { startAuthorizationServer } from "../../../../test/services/authorization-server.ts";
import { freePort } from "../../../../test/services/free-port.ts";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { startProtectedMcpServer } from "../../../../test/services/protected-mcp-server.ts";
import { startTokenIssuer } from "../mcp-access/token-issuer.ts";
import { calling, execute, makeAgent } from "./support/agents.ts";
import { createApiCaller } from "./support/api-caller.ts";
import { startHandler, workTool } from "./support/handler.ts";

const SOURCE = "--conditions=@yagate/source";

/** A model provider that quotes the key that it was called with. */
async function startTellingProvider(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `wrong key: ${request.headers.authorization}`, type: "auth" } }));
  });
  return `${await listenOnLoopback(server)}/v1`;
}

it("a gateway that logs everything logs no key and no secret", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-log-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const planted = {
    apiKey: `yk_${randomBytes(32).toString("base64url")}`,
    signingSecret: generateSigningSecret(),
    masterKey: randomBytes(32).toString("base64"),
    providerKey: `sk-${randomBytes(24).toString("hex")}`,
  };
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const audience = `${publicUrl}/mcp`;
  const issuer = await startTokenIssuer();
  const accessToken = await issuer.sign(audience);
  const expiredToken = await issuer.sign(audience, { claims: { exp: 1 } });
  const child = fork(fileURLToPath(new URL("support/logging-gateway.ts", import.meta.url)), [], {
    execArgv: [SOURCE],
    silent: true,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      YAGATE_PORT: String(port),
      YAGATE_DATA_DIR: dataDir,
      YAGATE_LOG_LEVEL: "debug",
      YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
      YAGATE_DRAIN_MS: "0",
      YAGATE_API_KEY: planted.apiKey,
      YAGATE_MASTER_KEYS: `k1:${planted.masterKey}`,
      YAGATE_SIGNING_SECRET: planted.signingSecret,
      YAGATE_PUBLIC_URL: publicUrl,
      YAGATE_MCP_ISSUERS: JSON.stringify([
        { issuer: issuer.issuer, audience, workspace: "default", scopes: ["executions"] },
      ]),
      OPENAI_API_KEY: planted.providerKey,
      OPENAI_BASE_URL: await startTellingProvider(),
    },
  });
  onTestFinished(() => {
    child.kill();
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk;
    });
  }
  const [url] = await once(child, "message");
  const api = await createApiCaller(String(url), planted.apiKey);

  const { signingSecret } = createdWorkspaceSchema.parse(
    (await api.call("createWorkspace", { body: { name: "a" } })).body,
  );
  const { key } = createdApiKeySchema.parse(
    (await api.call("createApiKey", { body: { name: "a", scopes: ["agents"] } })).body,
  );
  const { secret } = rotatedSigningSecretSchema.parse((await api.call("rotateSigningSecret", { body: {} })).body);
  const forged = `yt_${["header", "claims", "signature"].map(() => randomBytes(24).toString("base64url")).join(".")}`;
  const workspaceSecret = `sk-${randomBytes(24).toString("hex")}`;
  await api.call("putSecret", { params: { name: "KEY" }, body: { value: workspaceSecret } });
  await api.call("putSecret", { params: { name: "bad" }, body: { value: workspaceSecret, typo: workspaceSecret } });
  await api.call("putProvider", { params: { name: "openai" }, body: { apiKey: workspaceSecret } });
  const wrong = `yk_${randomBytes(32).toString("base64url")}`;

  const failing = await startHandler({ status: 500, body: { token: planted.signingSecret } });
  const gone = `http://127.0.0.1:1/${planted.signingSecret}`;
  const tools = [workTool(failing.url), workTool(gone, { name: "gone" })];
  const scripted = await makeAgent(api, { tools });
  const { id: executionId } = await execute(api, scripted.id, calling("work"));
  await execute(api, scripted.id, calling("gone"));
  const model = await makeAgent(api, { model: "openai/gpt-5" });
  const failed = await execute(api, model.id, { input: `remember ${planted.providerKey}` });
  expect(failed.status).toBe("failed");
  await api.call("putProvider", { params: { name: "openai" }, body: { apiKey: "workspace-secret://KEY" } });
  const refused = await execute(api, model.id, { input: `remember ${workspaceSecret}` });
  expect(refused.error?.message).toBe("openai rejected the API key (HTTP 401); check the workspace secret KEY");

  await api.call("listAgents", { key: wrong });
  await api.call("createAgent", { body: `{ "name": "${planted.signingSecret}", ` });
  await api.call("createAgent", { body: { name: planted.signingSecret, apiKey: planted.apiKey } });
  await api.call("createAgent", { key, body: { name: "a", model: planted.providerKey } });
  await api.call("listExecutions", { key });
  await api.call("listAgents", { query: { cursor: planted.apiKey } });
  await fetch(`${url}/v1/nowhere?key=${planted.apiKey}`, { headers: { "x-api-key": planted.apiKey, cookie: wrong } });

  const authorization = await startAuthorizationServer();
  const mcp = await startProtectedMcpServer(authorization);
  const auth = { oauth: { issuer: authorization.issuer, clientId: "registered" } };
  const source = { name: "tickets", kind: "mcp", url: mcp.url, auth };
  const { id: sourceId } = toolSourceSchema.parse((await api.call("createToolSource", { body: source })).body);
  const openPage = async () => {
    const started = await api.call("startToolSourceLogin", { params: { id: sourceId } });
    const { authorizationUrl } = startedLoginSchema.parse(started.body);
    return authorization.consent(authorizationUrl);
  };
  const forgedCallback = await openPage();
  forgedCallback.searchParams.set("iss", "https://other.example.com");
  expect((await fetch(forgedCallback)).status).toBe(400);
  const callback = await openPage();
  const [, code = ""] = /<strong>(.+)<\/strong>/.exec(await (await fetch(callback)).text()) ?? [];
  await api.call("confirmToolSourceLogin", { params: { id: sourceId }, body: { code: "2222-2222" } });
  const confirmed = await api.call("confirmToolSourceLogin", { params: { id: sourceId }, body: { code } });
  expect(toolSourceSchema.parse(confirmed.body).status).toBe("changed");
  authorization.expireTokens();
  authorization.revokeGrants();
  expect((await api.call("syncToolSource", { params: { id: sourceId } })).status).toBe(502);
  const oauth = Object.fromEntries(
    [callback.searchParams.get("state") ?? "", code, ...authorization.secrets].map((value, index) => [
      `oauth ${index}`,
      value,
    ]),
  );

  const made = await api.call("createExecutionToken", { params: { id: executionId }, body: { expiresInSeconds: 60 } });
  const { token } = executionTokenSchema.parse(made.body);
  const opened = await api.open("followExecution", { params: { id: executionId }, key: token });
  expect(opened.status).toBe(200);
  await opened.text();
  await api.call("listAgents", { key: token });
  await api.call("getExecution", { params: { id: executionId }, key: forged });
  await api.call("getExecution", { params: { id: executionId }, key: `${token}x` });
  await fetch(`${url}/v1/executions/${executionId}/events?token=${token}`);
  for (const [bearer, status] of [
    [accessToken, 200],
    [expiredToken, 401],
  ] as const) {
    const headers = { authorization: `Bearer ${bearer}`, accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
    expect((await fetch(`${url}/mcp`, init)).status).toBe(status);
  }
  const secrets = {
    accessToken,
    expiredToken,
    ...planted,
    ...oauth,
    created: signingSecret,
    key,
    secret,
    wrong,
    token,
    forged,
  };

  const exited = once(child, "exit");
  child.disconnect();
  await exited;
  const lines = log.trim().split("\n");
  expect(lines.length).toBeGreaterThan(15);
  expect(log).toContain("an access token was rejected");
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  for (const [name, value] of Object.entries(secrets)) {
    expect({ name, isLogged: log.includes(value) }).toEqual({ name, isLogged: false });
    expect({ name, isLogged: log.includes(value.slice(-20)) }).toEqual({ name, isLogged: false });
  }
});
