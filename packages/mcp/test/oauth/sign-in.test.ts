import { expect, it } from "vitest";
import {
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from "../../../../test/services/authorization-server.ts";
import {
  type ProtectedMcpServerOptions,
  startProtectedMcpServer,
} from "../../../../test/services/protected-mcp-server.ts";
import { chooseClient } from "../../src/oauth/client-identity.ts";
import { assertUnchanged, discoverOAuth } from "../../src/oauth/discover.ts";
import type { OAuthClient } from "../../src/oauth/port.ts";
import { createAuthorizationRequest, redeemCode } from "../../src/oauth/sign-in.ts";
import { refreshTokens, requestClientTokens } from "../../src/oauth/tokens.ts";
import { openTargets } from "./support/target-of.ts";

const targetOf = openTargets();
const redirectUri = "http://127.0.0.1:9/oauth/callback";
const REGISTERED: OAuthClient = { id: "registered" };

async function startServers(options: AuthorizationServerOptions = {}, mcpOptions: ProtectedMcpServerOptions = {}) {
  const authorization = await startAuthorizationServer(options);
  const mcp = await startProtectedMcpServer(authorization, mcpOptions);
  const target = targetOf(mcp.url, authorization.issuer);

  /** Signs in up to the issuer's redirect. */
  async function consent(client = REGISTERED) {
    const server = await discoverOAuth(target);
    const request = { client, redirectUri, state: "the-state", scopes: undefined };
    const { authorizationUrl, verifier } = await createAuthorizationRequest(server, request);
    const back = (await authorization.consent(authorizationUrl)).searchParams;
    const response = {
      code: back.get("code") ?? undefined,
      error: back.get("error") ?? undefined,
      iss: back.get("iss") ?? undefined,
    };
    return { server, authorizationUrl, response, state: back.get("state"), request: { client, redirectUri, verifier } };
  }

  async function signIn(client = REGISTERED) {
    const { server, response, request } = await consent(client);
    return { server, tokens: await redeemCode(target, server, response, request) };
  }

  return { authorization, mcp, target, consent, signIn };
}

it("signs in with PKCE, the resource and the state", async () => {
  const { authorization, mcp, consent, target } = await startServers({ idToken: { email: "ada@example.com" } });
  const { server, authorizationUrl, response, state, request } = await consent();
  const asked = new URL(authorizationUrl).searchParams;
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(asked.get("resource")).toBe(mcp.url);
  expect(state).toBe("the-state");
  const tokens = await redeemCode(target, server, response, request);
  expect(authorization.accepts(tokens.accessToken, mcp.url)).toBe(true);
  expect(tokens.refreshToken).toBeDefined();
  expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
  expect(tokens.account).toBe("ada@example.com");
  expect(authorization.tokenRequests()[0]?.form.get("resource")).toBe(mcp.url);
});

it("renews tokens, and says when the issuer no longer accepts the refresh token", async () => {
  const { authorization, mcp, target, signIn } = await startServers();
  const { server, tokens } = await signIn();
  const first = { ...tokens, refreshToken: tokens.refreshToken ?? "" };
  const renewed = await refreshTokens(target, server, { client: REGISTERED, tokens: first });
  expect(authorization.accepts(renewed.accessToken, mcp.url)).toBe(true);
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
  const again = refreshTokens(target, server, { client: REGISTERED, tokens: first });
  await expect(again).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED", isGrantInvalid: true });
  // The issuer's own text stays out of the message.
  await expect(again).rejects.toThrow(/^the token renewal: the issuer reported invalid_grant$/);
});

it("requests tokens with the client's own credentials", async () => {
  const { authorization, mcp, target } = await startServers({ clientSecret: "s3cret" });
  const server = await discoverOAuth(target);
  const request = { client: { id: "registered", secret: "s3cret" }, scopes: ["tools:read"] };
  const tokens = await requestClientTokens(target, server, request);
  expect(authorization.accepts(tokens.accessToken, mcp.url)).toBe(true);
  expect(authorization.tokenRequests()[0]?.form.get("scope")).toBe("tools:read");
  const wrong = requestClientTokens(target, server, { ...request, client: { id: "registered", secret: "other" } });
  await expect(wrong).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED", isGrantInvalid: false });
});

it("takes the issuer's URL for a server that publishes no metadata of its own", async () => {
  const { mcp, target, signIn } = await startServers({}, { resourceMetadata: () => undefined });
  expect((await discoverOAuth(target)).resource).toBe(mcp.url);
  expect((await signIn()).tokens.accessToken).toMatch(/^access_/);
});

it("asks for the scopes of the challenge unless the source names some", async () => {
  const challenge = () => 'Bearer scope="read write"';
  const { target } = await startServers({}, { challenge });
  const server = await discoverOAuth(target);
  const request = { client: REGISTERED, redirectUri, state: "s" };
  const scopeOf = async (scopes: readonly string[] | undefined) =>
    new URL((await createAuthorizationRequest(server, { ...request, scopes })).authorizationUrl).searchParams.get(
      "scope",
    );
  expect(await scopeOf(undefined)).toBe("read write");
  expect(await scopeOf(["read"])).toBe("read");
});

it.each<[string, AuthorizationServerOptions, ProtectedMcpServerOptions]>([
  [
    "a server that names another issuer",
    {},
    { resourceMetadata: (it) => ({ ...it, authorization_servers: ["http://127.0.0.1:9"] }) },
  ],
  [
    "a server that names another resource",
    {},
    { resourceMetadata: (it) => ({ ...it, resource: "https://victim.example.com/mcp" }) },
  ],
  [
    "a server that names a narrower resource",
    {},
    { resourceMetadata: (it) => ({ ...it, resource: `${String(it["resource"])}/more` }) },
  ],
  ["metadata of another issuer", { metadata: (it) => ({ ...it, issuer: "https://other.example.com" }) }, {}],
  ["an issuer without S256", { metadata: (it) => ({ ...it, code_challenge_methods_supported: ["plain"] }) }, {}],
  [
    "an issuer that does not mention PKCE",
    { metadata: (it) => ({ ...it, code_challenge_methods_supported: undefined }) },
    {},
  ],
  [
    "an authorization endpoint that is no web page",
    { metadata: (it) => ({ ...it, authorization_endpoint: "file:///etc/passwd" }) },
    {},
  ],
])("refuses %s before the sign-in starts", async (_name, options, mcpOptions) => {
  const { authorization, consent } = await startServers(options, mcpOptions);
  await expect(consent()).rejects.toMatchObject({ code: expect.stringMatching(/^SOURCE_UN(AUTHORIZED|REACHABLE)$/) });
  expect(authorization.requests.filter(({ path }) => !path.startsWith("/.well-known/"))).toEqual([]);
});

it.each<[string, (parameters: URLSearchParams) => void]>([
  ["no issuer", (parameters) => parameters.delete("iss")],
  ["another issuer", (parameters) => parameters.set("iss", "https://other.example.com")],
  [
    "another issuer that reports an error",
    (parameters) => {
      parameters.delete("code");
      parameters.set("error", "access_denied");
      parameters.set("iss", "https://other.example.com");
    },
  ],
  [
    "an error of the issuer",
    (parameters) => {
      parameters.delete("code");
      parameters.set("error", "access_denied");
    },
  ],
  ["no code", (parameters) => parameters.delete("code")],
])("sends no code to the issuer after a response with %s", async (_name, redirect) => {
  const { authorization, signIn } = await startServers({ redirect });
  await expect(signIn()).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  expect(authorization.tokenRequests()).toEqual([]);
});

it("sends nothing to a token endpoint that only a private network reaches", async () => {
  const other = await startAuthorizationServer();
  const metadata = (it: object) => ({ ...it, token_endpoint: `${other.issuer}/token` });
  const { authorization, signIn } = await startServers({ metadata });
  await expect(signIn()).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(other.requests).toEqual([]);
  expect(authorization.tokenRequests()).toEqual([]);
});

it("follows no redirect with a code", async () => {
  const other = await startAuthorizationServer();
  const { authorization, signIn } = await startServers({
    token: (response) => {
      response.writeHead(307, { location: `${authorization.issuer}/elsewhere` }).end();
      return true;
    },
  });
  await expect(signIn()).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(other.requests).toEqual([]);
  expect(authorization.requests.map(({ path }) => path)).not.toContain("/elsewhere");
});

it("does not register when metadata that the server names is blocked", async () => {
  const challenge = () => 'Bearer resource_metadata="https://127.0.0.1:9/metadata"';
  const { authorization, mcp, target } = await startServers({}, { challenge });
  await expect(discoverOAuth(target)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(authorization.requests).toEqual([]);
  expect(mcp.requests.map(({ path }) => path)).toEqual(["/mcp"]);
});

it.each<[string, NonNullable<AuthorizationServerOptions["token"]>]>([
  ["garbage", (response) => end(response, "no json")],
  ["a page", (response) => end(response, "<html></html>")],
  ["no token", (response) => end(response, '{"token_type":"Bearer"}')],
  ["a token of another type", (response) => end(response, '{"access_token":"a","token_type":"DPoP"}')],
  ["a token with a line break", (response) => end(response, '{"access_token":"a\\nb","token_type":"Bearer"}')],
  ["a huge response", (response) => end(response, `{"access_token":"${"a".repeat(300_000)}","token_type":"Bearer"}`)],
  ["a huge token", (response) => end(response, `{"access_token":"${"a".repeat(20_000)}","token_type":"Bearer"}`)],
])("refuses a token endpoint that returns %s", async (_name, token) => {
  const { signIn } = await startServers({ token });
  await expect(signIn()).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
});

function end(response: { end(text: string): unknown }, text: string): true {
  response.end(text);
  return true;
}

it("ends with its caller while a token endpoint does not respond", async () => {
  const asked = Promise.withResolvers<void>();
  const { authorization, mcp, consent } = await startServers({
    token: () => {
      asked.resolve();
      return true;
    },
  });
  const { server, response, request } = await consent();
  const stopping = new AbortController();
  const target = targetOf(mcp.url, authorization.issuer, stopping.signal);
  const redeemed = redeemCode(target, server, response, request);
  await asked.promise;
  stopping.abort();
  await expect(redeemed).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
});

it("notices that the resource or the host of the token endpoint moved", async () => {
  const { target } = await startServers();
  const stored = await discoverOAuth(target);
  const moved = { ...stored, metadata: { ...stored.metadata, token_endpoint: "https://other.example.com/token" } };
  expect(() => assertUnchanged(stored, stored)).not.toThrow();
  expect(() => assertUnchanged(stored, moved)).toThrow(/different token endpoint host/);
  expect(() => assertUnchanged(stored, { ...stored, resource: "https://other.example.com" })).toThrow(
    /different resource/,
  );
});

it("identifies itself with a document, and registers only if that is allowed", async () => {
  const { authorization, target } = await startServers();
  const server = await discoverOAuth(target);
  const identity = {
    documentUrl: "https://gateway.example.com/oauth/client.json",
    redirectUri,
    allowRegistration: false,
  };
  await expect(chooseClient(target, server, identity)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  expect(await chooseClient(target, server, { ...identity, registered: REGISTERED })).toEqual(REGISTERED);
  const reads = { ...server, metadata: { ...server.metadata, client_id_metadata_document_supported: true } };
  expect(await chooseClient(target, reads, identity)).toEqual({ id: identity.documentUrl });
  expect(authorization.requests.some(({ path }) => path === "/register")).toBe(false);
  const made = await chooseClient(target, server, { ...identity, allowRegistration: true });
  expect(made).toMatchObject({ id: expect.stringMatching(/^client_/), registeredFor: redirectUri });
  const again = await chooseClient(target, server, { ...identity, allowRegistration: true, earlier: made });
  expect(again).toBe(made);
  expect(authorization.requests.filter(({ path }) => path === "/register")).toHaveLength(1);
});
