import { expect, it } from "vitest";
import { parseMasterKeys } from "../../../secrets/src/keyring.ts";
import { createResealing } from "../../../secrets/src/resealing.ts";
import { masterKeyOf } from "../../../secrets/test/support.ts";
import { createAuthorizedFetch } from "../../src/mcp-oauth/authorized-fetch.ts";
import { startOAuthWorld } from "./support/oauth-world.ts";

const renewalsOf = ({ authorization }: Pick<Awaited<ReturnType<typeof startOAuthWorld>>, "authorization">) =>
  authorization.tokenRequests().filter(({ form }) => form.get("grant_type") === "refresh_token").length;

it("gives the token of a sign-in, until it expires soon", async () => {
  const world = await startOAuthWorld();
  const gateway = world.replica();
  await expect(gateway.tokens.current(world.source)).rejects.toMatchObject({
    ...{ code: "SOURCE_UNAUTHORIZED", message: "the tool source is not signed in to its MCP server" },
  });
  await world.signIn(gateway);
  const { token, revision } = await gateway.tokens.current(world.source);
  expect(world.authorization.accepts(token, world.mcp.url)).toBe(true);
  expect(await gateway.tokens.current(world.source)).toEqual({ token, revision });
  expect(renewalsOf(world)).toBe(0);
  world.clock.now += 3_580_000;
  const next = await gateway.tokens.current(world.source);
  expect(next.revision).toBe(revision + 1);
  expect(world.authorization.accepts(next.token, world.mcp.url)).toBe(true);
  expect(renewalsOf(world)).toBe(1);
  await world.expectNoLeak([]);
});

it("renews once for requests of three replicas that are rejected at the same time", async () => {
  const world = await startOAuthWorld();
  const [one, two, three] = [world.replica(), world.replica(), world.replica()];
  await world.signIn(one);
  const { revision } = await one.tokens.current(world.source);
  world.authorization.expireTokens();
  const renewed = await Promise.all(
    [one, two, three].flatMap(({ tokens }) => [1, 2, 3].map(() => tokens.renewed(world.source, revision))),
  );
  expect(new Set(renewed.map(({ token }) => token)).size).toBe(1);
  expect(renewalsOf(world)).toBe(1);
  // A request that comes late gets the same token, without another renewal.
  expect(await two.tokens.renewed(world.source, revision)).toEqual(renewed[0]);
  expect(renewalsOf(world)).toBe(1);
});

it("sends three rejected requests again after one renewal, and a rejected one at most once more", async () => {
  const world = await startOAuthWorld();
  const gateway = world.replica();
  await world.signIn(gateway);
  const first = await gateway.tokens.current(world.source);
  world.authorization.expireTokens();
  const renewed = (rejected: number) => gateway.tokens.renewed(world.source, rejected);
  const list = { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) };
  const send = createAuthorizedFetch((input, init) => fetch(input, init), { first, renewed });
  const statuses = await Promise.all([1, 2, 3].map(async () => (await send(world.mcp.url, list)).status));
  expect(statuses).toEqual([200, 200, 200]);
  expect(renewalsOf(world)).toBe(1);
  const refusing = createAuthorizedFetch(async () => new Response(null, { status: 401 }), { first, renewed });
  expect((await refusing(world.mcp.url, list)).status).toBe(401);
});

it("asks for a sign-in, and sends nothing, after the issuer has ended the grant", async () => {
  const world = await startOAuthWorld();
  const gateway = world.replica();
  await world.signIn(gateway);
  const { revision } = await gateway.tokens.current(world.source);
  world.authorization.revokeGrants();
  const failed = await gateway.tokens.renewed(world.source, revision).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "SOURCE_UNAUTHORIZED", isGrantInvalid: true });
  const before = world.authorization.requests.length;
  await expect(world.replica().tokens.current(world.source)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  await expect(gateway.tokens.renewed(world.source, revision + 1)).rejects.toMatchObject({
    code: "SOURCE_UNAUTHORIZED",
  });
  expect(world.authorization.requests).toHaveLength(before);
  await world.expectNoLeak([failed]);
  await world.signIn(gateway);
  expect((await gateway.tokens.current(world.source)).token).toMatch(/^access_/);
});

it("keeps the tokens when a renewal fails for another reason", async () => {
  let isBroken = false;
  const world = await startOAuthWorld({
    authorization: {
      token(response) {
        if (isBroken) response.writeHead(503).end("no");
        return isBroken;
      },
    },
  });
  const gateway = world.replica();
  await world.signIn(gateway);
  const { revision } = await gateway.tokens.current(world.source);
  isBroken = true;
  await expect(gateway.tokens.renewed(world.source, revision)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  isBroken = false;
  expect((await gateway.tokens.renewed(world.source, revision)).revision).toBe(revision + 1);
});

it("sends a refresh token to no other host than at the sign-in", async () => {
  let elsewhere: string | undefined;
  const world = await startOAuthWorld({
    authorization: {
      metadata: (it) => ({ ...it, token_endpoint: elsewhere ?? it["token_endpoint"] }),
    },
  });
  const gateway = world.replica();
  await world.signIn(gateway);
  const { revision } = await gateway.tokens.current(world.source);
  elsewhere = "https://elsewhere.example.com/token";
  await expect(gateway.tokens.renewed(world.source, revision)).rejects.toMatchObject({
    ...{ code: "SOURCE_UNAUTHORIZED", message: expect.stringContaining("a different token endpoint host") },
  });
  expect(renewalsOf(world)).toBe(0);
});

it("gives no token to a definition with another URL or issuer", async () => {
  const world = await startOAuthWorld();
  const gateway = world.replica();
  await world.signIn(gateway);
  const other = { ...world.source, url: "https://elsewhere.example.com/mcp" };
  await expect(gateway.tokens.current(other)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  const oauth = { ...world.source.oauth, issuer: "https://login.example.com" };
  await expect(gateway.tokens.current({ ...world.source, oauth })).rejects.toMatchObject({
    code: "SOURCE_UNAUTHORIZED",
  });
  await expect(gateway.tokens.current({ ...world.source, workspaceId: "ws_b" })).rejects.toMatchObject({
    code: "SOURCE_UNAUTHORIZED",
  });
});

it("signs in with the client's own credentials, once for all replicas", async () => {
  const world = await startOAuthWorld({
    authorization: { clientSecret: "planted-client-secret" },
    oauth: { grant: "client_credentials", clientSecret: "TICKETS_CLIENT" },
  });
  const gateway = world.replica();
  const put = (hosts: readonly string[]) =>
    gateway.secrets.put("ws_a", "TICKETS_CLIENT", { value: "planted-client-secret", hosts });
  await expect(gateway.tokens.current(world.source)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  await put(["login.example.com"]);
  const refused = await gateway.tokens.current(world.source).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "SOURCE_UNAUTHORIZED", message: expect.stringContaining("may not be sent") });
  expect(world.authorization.tokenRequests()).toEqual([]);
  await put(["127.0.0.1"]);
  const tokens = await Promise.all([gateway, world.replica()].map((one) => one.tokens.current(world.source)));
  expect(tokens[0]).toEqual(tokens[1]);
  expect(world.authorization.tokenRequests()).toHaveLength(1);
  await world.expectNoLeak([refused]);
});

it("follows an issuer whose token endpoint moved, if the client's secret may be sent there", async () => {
  let path = "/token";
  const world = await startOAuthWorld({
    authorization: { metadata: (it) => ({ ...it, token_endpoint: new URL(path, String(it["issuer"])).href }) },
    oauth: { grant: "client_credentials", clientSecret: "TICKETS_CLIENT" },
  });
  const gateway = world.replica();
  await gateway.secrets.put("ws_a", "TICKETS_CLIENT", { value: "planted-client-secret", hosts: ["127.0.0.1"] });
  const { revision } = await gateway.tokens.current(world.source);
  path = "https://elsewhere.example.com/token";
  await expect(gateway.tokens.renewed(world.source, revision)).rejects.toMatchObject({
    message: expect.stringContaining("may not be sent to the token endpoint at elsewhere.example.com"),
  });
  path = "/token?moved";
  expect((await gateway.tokens.renewed(world.source, revision)).revision).toBe(revision + 1);
});

it("finds the tokens in a backup, with the master key", async () => {
  const masterKeys = masterKeyOf("k1");
  const world = await startOAuthWorld({ masterKeys });
  await world.signIn(world.replica());
  const current = await world.replica().tokens.current(world.source);
  const copy = await world.copyStore();
  expect(await world.replica(masterKeys, undefined, copy).tokens.current(world.source)).toEqual(current);
  const otherKey = world.replica(masterKeyOf("k1"), undefined, copy).tokens.current(world.source);
  await expect(otherKey).rejects.toMatchObject({ code: "INTERNAL" });
});

it("opens grants after the master key was replaced, and none without the key", async () => {
  const [first, second] = [masterKeyOf("k1"), masterKeyOf("k2")];
  const world = await startOAuthWorld({ masterKeys: first });
  await world.signIn(world.replica());
  const before = await world.replica().tokens.current(world.source);
  const keys = `${second},${first}`;
  const { sealer } = world.replica(keys);
  const { settings, sealedTexts } = world.store;
  const resealing = createResealing({
    ...{ store: sealedTexts, settings, keyring: parseMasterKeys(keys), sealer },
    onReport: () => undefined,
    onError: (error) => world.failures.push(error),
  });
  expect(await resealing.pass()).toMatchObject({ resealed: 1, unused: ["k1"] });
  expect(world.failures).toEqual([]);
  expect(await world.replica(second).tokens.current(world.source)).toEqual(before);
  await expect(world.replica(first).tokens.current(world.source)).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
});
