import { describe, expect, it } from "vitest";
import { BASE_URL, startOAuthWorld } from "./support/oauth-world.ts";

type World = Awaited<ReturnType<typeof startOAuthWorld>>;

/** Starts a sign-in and consents. @returns where the issuer sends the browser. */
async function consent(world: World, gateway = world.replica(), keyId: string | null = null): Promise<URL> {
  const { authorizationUrl } = await gateway.signIns.start(world.source, { keyId }, world.signal);
  return world.authorization.consent(authorizationUrl);
}

const confirm = (world: World, code: string, keyId: string | null = null, workspaceId = "ws_a") =>
  world
    .replica()
    .signIns.confirm({ ...world.source, workspaceId, name: "tickets" }, { keyId, code, recorder: world.recorder });

it("starts in one process, goes on in a second and is confirmed in a third", async () => {
  const world = await startOAuthWorld({ authorization: { idToken: { email: "ada@example.com" } } });
  const started = await world.replica().signIns.start(world.source, { keyId: "key_1" }, world.signal);
  expect(Date.parse(started.expiresAt)).toBe(world.clock.now + 600_000);
  const state = new URL(started.authorizationUrl).searchParams.get("state") ?? "";
  expect(Buffer.from(state, "base64url")).toHaveLength(32);
  const callback = await world.authorization.consent(started.authorizationUrl);
  expect(callback.href.startsWith(`${BASE_URL}/oauth/callback?`)).toBe(true);
  const outcome = await world.receive(callback, world.replica());
  const code = outcome.kind === "code" ? outcome.code : "";
  expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  // Before the code was entered, there are no tokens.
  await expect(world.replica().tokens.current(world.source)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  await confirm(world, ` ${code.replace("-", " ").toLowerCase()} `, "key_1");
  expect((await world.replica().tokens.current(world.source)).token).toMatch(/^access_/);
  const { data } = await world.store.audit.list({ workspaceId: "ws_a", action: "tool_source.signed_in" }, { limit: 9 });
  expect(data).toMatchObject([
    { resource: { id: "src_1", name: "tickets" }, after: { account: "ada@example.com", resource: world.mcp.url } },
  ]);
  await world.expectNoLeak([outcome, world.failures]);
  await expect(confirm(world, code, "key_1")).rejects.toMatchObject({ code: "CONFLICT" });
});

it("uses a state once, and only until it expires", async () => {
  const world = await startOAuthWorld();
  const callback = await consent(world);
  const gateway = world.replica();
  const kinds = await Promise.all([1, 2, 3].map(async () => (await world.receive(callback, gateway)).kind));
  expect(kinds.toSorted()).toEqual(["code", "expired", "expired"]);
  const late = await consent(world);
  world.clock.now += 600_000;
  expect(await world.receive(late, gateway)).toEqual({ kind: "expired" });
  const forged = new URL(late);
  forged.searchParams.set("state", "A".repeat(43));
  expect(await world.receive(forged, gateway)).toEqual({ kind: "expired" });
  expect(world.authorization.tokenRequests()).toHaveLength(1);
});

it("replaces an earlier sign-in of the source", async () => {
  const world = await startOAuthWorld();
  const [first, second] = [await consent(world), await consent(world)];
  expect(await world.receive(first, world.replica())).toEqual({ kind: "expired" });
  expect(await world.receive(second, world.replica())).toMatchObject({ kind: "code" });
});

it("is confirmed only with the code, by the API key and the workspace that started it", async () => {
  const world = await startOAuthWorld();
  const callback = await consent(world, world.replica(), "key_1");
  await expect(confirm(world, "2222-2222", "key_1")).rejects.toMatchObject({ code: "CONFLICT" });
  const outcome = await world.receive(callback, world.replica());
  const code = outcome.kind === "code" ? outcome.code : "";
  await expect(confirm(world, "2222-2222", "key_1")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  await expect(confirm(world, code, "key_1", "ws_b")).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(confirm(world, code, "key_2")).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(confirm(world, code, null)).rejects.toMatchObject({ code: "CONFLICT" });
  await confirm(world, code, "key_1");
});

it("accepts no further code after five attempts", async () => {
  const world = await startOAuthWorld();
  const outcome = await world.receive(await consent(world), world.replica());
  const code = outcome.kind === "code" ? outcome.code : "";
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(confirm(world, "2222-2222")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  }
  await expect(confirm(world, code)).rejects.toMatchObject({ code: "CONFLICT" });
});

it("ends when the source moves to another place in the meantime", async () => {
  const world = await startOAuthWorld();
  const before = await consent(world);
  const move = (url: string) =>
    world.store.toolSources.change("ws_a", "src_1", ({ settings }) => ({ at: 1, settings: { ...settings, url } }), 9);
  await move("https://elsewhere.example.com/mcp");
  expect(await world.receive(before, world.replica())).toEqual({ kind: "expired" });
  const outcome = await world.receive(await consent(world), world.replica());
  await move("https://another.example.com/mcp");
  const code = outcome.kind === "code" ? outcome.code : "";
  await expect(confirm(world, code)).rejects.toMatchObject({ code: "CONFLICT" });
});

it.each<[string, (parameters: URLSearchParams) => void]>([
  [
    "the issuer reports an error",
    (parameters) => {
      parameters.delete("code");
      parameters.set("error", "access_denied");
      parameters.set("error_description", "planted text");
    },
  ],
  ["another issuer responds", (parameters) => parameters.set("iss", "https://other.example.com")],
  ["the response names no issuer", (parameters) => parameters.delete("iss")],
  ["the code is another one", (parameters) => parameters.set("code", "planted-code")],
])("fails, and can be started again, if %s", async (_name, redirect) => {
  const world = await startOAuthWorld({ authorization: { redirect } });
  const callback = await consent(world);
  expect(await world.receive(callback, world.replica())).toEqual({ kind: "failed" });
  expect(world.failures).toMatchObject([{ code: "SOURCE_UNAUTHORIZED" }]);
  await world.expectNoLeak(world.failures);
  expect(JSON.stringify(world.failures)).not.toContain("planted");
  expect(await world.receive(callback, world.replica())).toEqual({ kind: "expired" });
  await expect(consent(world)).resolves.toBeInstanceOf(URL);
});

it("registers a client only if the source allows it, and keeps it for the next sign-in", async () => {
  const refusing = await startOAuthWorld({ oauth: { clientId: undefined } });
  await expect(consent(refusing)).rejects.toMatchObject({ code: "SOURCE_UNAUTHORIZED" });
  expect(refusing.authorization.requests.map(({ path }) => path)).not.toContain("/register");
  const world = await startOAuthWorld({ oauth: { clientId: undefined, allowRegistration: true } });
  await world.signIn(world.replica());
  await world.signIn(world.replica());
  const registrations = world.authorization.requests.filter(({ path }) => path === "/register");
  expect(registrations).toHaveLength(1);
  expect(JSON.parse(registrations[0]?.body ?? "")).toMatchObject({ redirect_uris: [`${BASE_URL}/oauth/callback`] });
});

it("needs a URL at which browsers reach the gateway", async () => {
  const world = await startOAuthWorld();
  const { signIns } = world.replica(undefined, async () => undefined);
  await expect(signIns.start(world.source, { keyId: null }, world.signal)).rejects.toMatchObject({
    code: "NOT_CONFIGURED",
  });
  expect(world.mcp.requests).toEqual([]);
});

describe("a sign-in that a console session starts", () => {
  async function consentOfSession(world: World) {
    const starter = { keyId: "key_1", sessionId: "session_1" };
    const { authorizationUrl } = await world.replica().signIns.start(world.source, starter, world.signal);
    return world.authorization.consent(authorizationUrl);
  }

  it("is proven by the browser of that session, on any replica", async () => {
    const world = await startOAuthWorld();
    const { workspaceId, sourceId } = world.source;
    const outcome = await world.receive(await consentOfSession(world), world.replica(), "session_1");
    expect(outcome).toEqual({ kind: "proven", workspaceId, sourceId, code: expect.any(String) });
  });

  it.each([undefined, "session_2"])("fails in a browser with the session %s, for good", async (sessionId) => {
    const world = await startOAuthWorld();
    const callback = await consentOfSession(world);
    const asked = world.authorization.tokenRequests().length;
    expect(await world.receive(callback, world.replica(), sessionId)).toEqual({ kind: "failed" });
    expect(await world.receive(callback, world.replica(), "session_1")).toEqual({ kind: "expired" });
    expect(world.authorization.tokenRequests()).toHaveLength(asked);
  });

  it("is not the sign-in of a program, whose code a browser with a session shows too", async () => {
    const world = await startOAuthWorld();
    expect(await world.receive(await consent(world), world.replica(), "session_1")).toMatchObject({ kind: "code" });
  });
});
