import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { createEgressGuard } from "@yagate/egress";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { type JsonObject, jsonObjectSchema, MAX_INPUT_ROUNDS, YagateError } from "@yagate/protocol";
import * as z from "zod";
import { callMcpTool } from "../../src/client/call-tool.ts";
import { listMcpTools } from "../../src/client/list-tools.ts";
import type { McpContinuation, McpEndpoint, McpRequiredInput } from "../../src/client/port.ts";
import { chooseClient } from "../../src/oauth/client-identity.ts";
import { discoverOAuth } from "../../src/oauth/discover.ts";
import type { OAuthTarget } from "../../src/oauth/port.ts";
import { createAuthorizationRequest, redeemCode } from "../../src/oauth/sign-in.ts";
import { requestClientTokens } from "../../src/oauth/tokens.ts";

// The MCP conformance suite starts this program once per scenario, with the URL of its server. The program does what
// the gateway does with a source: it signs in if the server requires it, lists the tools, and calls each of them.

const contextSchema = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: jsonObjectSchema })).optional(),
});

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = contextSchema.parse(JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"));
const redirectUri = "http://localhost:9/oauth/callback";
const signal = AbortSignal.timeout(20_000);
const guard = createEgressGuard({ allowCidrs: ["127.0.0.0/8", "::1/128"], ports: "any" });
const open: McpEndpoint = { url, fetch: guard.fetch };

try {
  await useTools(open);
} catch (error) {
  if (!YagateError.is(error) || error.code !== "SOURCE_UNAUTHORIZED") throw error;
  await useTools({ ...open, headers: { authorization: `Bearer ${await signIn()}` } });
} finally {
  await guard.close();
}

async function useTools(endpoint: McpEndpoint): Promise<void> {
  const { tools, verdict } = await listMcpTools(endpoint, { signal, timeoutMs: 10_000 });
  const given =
    context.toolCalls ?? tools.map(({ name, parameters }) => ({ name, arguments: argumentsOf(parameters) }));
  for (const { name, arguments: args } of given) {
    const tool = tools.find((listed) => listed.name === name);
    if (tool === undefined) throw new Error(`the list does not contain ${name}`);
    const { parameters } = tool;
    const limits = { signal, timeoutMs: 10_000, maxResponseBytes: 1_000_000 };
    const call = { name, parameters, arguments: args, verdict, ...limits };
    let outcome = await callMcpTool(endpoint, call);
    for (let round = 1; "requiredInput" in outcome && round <= MAX_INPUT_ROUNDS; round += 1) {
      outcome = await callMcpTool(endpoint, { ...call, continuation: answersTo(outcome.requiredInput) });
    }
  }

  /** The suite asks for numbers, except for one tool whose argument is its own schema. */
  function argumentsOf({ properties }: JsonObject): JsonObject {
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const [tool] = tools;
    const value = scenario.startsWith("json-schema") && tool !== undefined ? tool.parameters : 5;
    return Object.fromEntries(names.map((one) => [one, value]));
  }
}

/** Answers as a person who accepts everything and fills in nothing. */
function answersTo({ questions, requestState }: McpRequiredInput): McpContinuation {
  const answers = questions.map(({ key, mode }) => [
    key,
    { action: "accept" as const, ...(mode === "form" && { content: {} }) },
  ]);
  return { answers: Object.fromEntries(answers), ...defined({ requestState }) };
}

/** Signs in as a person who has looked up the issuer, and whom the issuer sends back without questions. */
async function signIn(): Promise<string> {
  const target: OAuthTarget = {
    ...{ url, issuer: await issuerOf(), signal, now: Date.now },
    ...{ fetch: guard.fetch, publicFetch: guard.fetch },
  };
  const server = await discoverOAuth(target);
  const { client_id: id, client_secret: secret } = context;
  const registered = id === undefined ? undefined : { id, ...defined({ secret }) };
  if (scenario.startsWith("auth/client-credentials") && id !== undefined && secret !== undefined) {
    return (await requestClientTokens(target, server, { client: { id, secret }, scopes: undefined })).accessToken;
  }
  const documentUrl = "https://conformance-test.local/client-metadata.json";
  const client = await chooseClient(target, server, { registered, documentUrl, redirectUri, allowRegistration: true });
  const request = { client, redirectUri, state: crypto.randomUUID(), scopes: undefined };
  const { authorizationUrl, verifier } = await createAuthorizationRequest(server, request);
  const redirect = await guard.fetch(authorizationUrl, { redirect: "manual" });
  const back = new URL(redirect.headers.get("location") ?? "").searchParams;
  const [code, error, iss] = ["code", "error", "iss"].map((name) => back.get(name) ?? undefined);
  return (await redeemCode(target, server, { code, error, iss }, { client, redirectUri, verifier })).accessToken;
}

async function issuerOf(): Promise<string> {
  const response = await guard.fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  await response.body?.cancel();
  const { authorization_servers: issuers } = await discoverOAuthProtectedResourceMetadata(
    url,
    defined({ resourceMetadataUrl }),
    guard.fetch,
  );
  return issuers?.[0] ?? "";
}
