import { startedLoginSchema, type ToolSource } from "@yagate/protocol";
import { afterAll, expect, it } from "vitest";
import { startAuthorizationServer } from "../../../../../test/services/authorization-server.ts";
import { startProtectedMcpServer } from "../../../../../test/services/protected-mcp-server.ts";
import { createPage } from "../../console/browser.ts";
import { startMcpWorld } from "../support/mcp-world.ts";

const world = await startMcpWorld({ console: "on" });
afterAll(() => world.stop());
const page = createPage(world.url);

const signInWith = async (apiKey: string) => (await page.signIn({ apiKey })).cookie;

/** Starts a sign-in to a new source in the console, and consents. */
async function consentInConsole(cookie: string | undefined) {
  const authorization = await startAuthorizationServer({ idToken: { email: "ada@example.com" } });
  const mcp = await startProtectedMcpServer(authorization);
  const source = await world.makeMcpSource(mcp, {
    auth: { oauth: { issuer: authorization.issuer, clientId: "registered" } },
  });
  const path = `/v1/tool-sources/${source.id}/login`;
  const started = await page.send({ method: "POST", path }, cookie);
  expect(started.status).toBe(201);
  const { authorizationUrl } = startedLoginSchema.parse(JSON.parse(started.text));
  const { pathname, search } = await authorization.consent(authorizationUrl);
  return { authorization, source, callback: pathname + search };
}

const statusOf = async ({ id }: ToolSource) => (await world.readSource(id)).status;
const linkOf = (text: string) => (/<a href="([^"]+)">/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");

it("finishes in the same browser without a code, after a page that repeats the issuer's request", async () => {
  const cookie = await signInWith(world.key);
  const { source, callback } = await consentInConsole(cookie);
  // The redirect of another site, without the cookie.
  const redirected = await page.get(callback, undefined, { "Sec-Fetch-Site": "cross-site" });
  expect([redirected.status, redirected.headers["set-cookie"]]).toEqual([200, undefined]);
  expect(redirected.headers["content-security-policy"]).toContain("default-src 'none'");
  const link = linkOf(redirected.text);
  expect(redirected.text).toContain(`<meta http-equiv="refresh" content="0; url=${link.replaceAll("&", "&amp;")}">`);
  const finished = await page.get(`/oauth/${link}`, cookie);
  expect([finished.status, finished.text]).toEqual([200, expect.stringContaining("You are signed in")]);
  expect(finished.text).not.toMatch(/<strong>/);
  expect(await statusOf(source)).toBe("changed");
});

it("repeats nothing but parameters of OAuth, encoded", async () => {
  const query = new URLSearchParams({ state: 'session."><script>', code: "<b>", iss: "'&", other: "planted" });
  const { text } = await page.get(`/oauth/callback?${query}`, undefined, { "Sec-Fetch-Site": "cross-site" });
  expect(text).not.toMatch(/<script|<b>|planted/);
  const repeated = new URLSearchParams(linkOf(text).replace("callback", ""));
  expect(Object.fromEntries(repeated)).toEqual({ state: 'session."><script>', code: "<b>", iss: "'&", continued: "1" });
});

it.each<[string, () => Promise<string | undefined>]>([
  ["no session", async () => undefined],
  ["another session of the same key", () => signInWith(world.key)],
  ["a session whose key has other scopes", async () => signInWith((await world.makeKey(["executions"])).text)],
])("fails in a browser with %s, and the state is used up", async (_whose, other) => {
  const cookie = await signInWith(world.key);
  const { authorization, source, callback } = await consentInConsole(cookie);
  const stolen = await page.get(callback, await other());
  expect([stolen.status, stolen.text]).toEqual([400, expect.stringContaining("Not signed in")]);
  expect((await page.get(callback, cookie)).text).toContain("already used");
  expect([await statusOf(source), authorization.tokenRequests()]).toEqual(["unauthorized", []]);
});

it("fails after the session has ended", async () => {
  const cookie = await signInWith(world.key);
  const { source, callback } = await consentInConsole(cookie);
  await page.send({ method: "DELETE", path: "/console/session" }, cookie);
  expect((await page.get(callback, cookie)).status).toBe(400);
  expect(await statusOf(source)).toBe("unauthorized");
});

it("shows a code in the console's browser for a sign-in that a program started", async () => {
  const authorization = await startAuthorizationServer();
  const mcp = await startProtectedMcpServer(authorization);
  const source = await world.makeMcpSource(mcp, {
    auth: { oauth: { issuer: authorization.issuer, clientId: "registered" } },
  });
  const { body } = await world.call("startToolSourceLogin", { params: { id: source.id } });
  const { pathname, search } = await authorization.consent(startedLoginSchema.parse(body).authorizationUrl);
  expect((await page.get(pathname + search, await signInWith(world.key))).text).toMatch(/<strong>/);
});
