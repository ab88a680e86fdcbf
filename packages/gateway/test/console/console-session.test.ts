import { once } from "node:events";
import { request } from "node:http";
import { executionTokenSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/gateway.ts";
import { calling, makeAgent, start } from "../http/support/agents.ts";
import { startHandler, workTool } from "../http/support/handler.ts";
import { startWorld, type World } from "../http/support/world.ts";
import { createPage, sendAs } from "./browser.ts";

const SECRET = /^[\w-]{43}$/;

let world: World;
let page: ReturnType<typeof createPage>;
beforeAll(async () => {
  world = await startWorld({ console: "on" });
  page = createPage(world.url);
});
afterAll(() => world.stop());

async function signIn(apiKey = world.key): Promise<string> {
  const { status, cookie = "" } = await page.signIn({ apiKey });
  expect(status).toBe(201);
  return cookie;
}

describe("a session of the console", () => {
  it("starts with an API key, and shows what the key may do", async () => {
    const key = await world.makeKey(["executions", "approvals"]);
    const { status, text, headers, cookie = "" } = await page.signIn({ apiKey: key.text });
    expect(status).toBe(201);
    expect(JSON.parse(text)).toMatchObject({ keyId: key.id, keyName: "test", scopes: ["executions", "approvals"] });
    const [name = "", token = ""] = cookie.split("=");
    expect(name).toBe(`yagate_${new URL(world.url).port}`);
    expect(token).toMatch(SECRET);
    expect(headers["set-cookie"]).toEqual([expect.stringContaining("; HttpOnly; SameSite=Strict")]);
    expect(text).not.toContain(key.text);
    expect(text).not.toContain(token);
  });

  it("reads and changes what its key may, and nothing else", async () => {
    const key = await world.makeKey(["agents"]);
    const cookie = await signIn(key.text);
    const { status, headers } = await page.get("/v1/agents", cookie);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ "cache-control": "no-store", vary: "Cookie" });
    expect((await page.get("/v1/executions", cookie)).status).toBe(403);
    const body = { name: "Of the console", model: "scripted/keyword" };
    expect((await page.send({ method: "POST", path: "/v1/agents", body }, cookie)).status).toBe(201);
  });

  it("counts on the API only", async () => {
    const cookie = await signIn();
    expect((await page.get("/metrics", cookie)).status).toBe(401);
    expect((await page.send({ method: "POST", path: "/mcp", body: {} }, cookie)).status).toBe(401);
  });

  it("gives way to a bearer token", async () => {
    const cookie = await signIn();
    const headers = { Authorization: "Bearer yk_of_nobody_at_all" };
    expect((await page.get("/v1/agents", cookie, headers)).status).toBe(401);
  });

  it("ends when the browser signs out", async () => {
    const cookie = await signIn();
    const { status, headers } = await page.send({ method: "DELETE", path: "/console/session" }, cookie);
    expect(status).toBe(204);
    expect(headers["set-cookie"]).toEqual([expect.stringContaining("=; Path=/; Max-Age=0")]);
    expect((await page.get("/v1/agents", cookie)).status).toBe(401);
    expect((await page.get("/console/session", cookie)).status).toBe(401);
  });

  it.each([
    ["an unknown key", { apiKey: `yk_${"a".repeat(43)}` }, 401],
    ["an unknown link", { link: "a".repeat(43) }, 401],
    ["both", { apiKey: "a", link: "b" }, 422],
    ["neither", {}, 422],
  ])("does not start with %s", async (_name, body, expected) => {
    const { status, cookie } = await page.signIn(body);
    expect({ status, cookie }).toEqual({ status: expected, cookie: undefined });
  });

  it("does not start with an execution token", async () => {
    const { id: agentId } = await makeAgent(world, { model: "scripted/keyword" });
    const { id } = await start(world, agentId, { input: "hello" });
    const { body } = await world.call("createExecutionToken", { params: { id }, body: {} });
    const { token } = executionTokenSchema.parse(body);
    expect((await page.signIn({ apiKey: token })).status).toBe(401);
  });
});

describe("an attacker", () => {
  it("cannot fix a session: signing in makes a new one, and ends the one that the browser came with", async () => {
    const planted = await signIn((await world.makeKey(["agents"])).text);
    const { cookie = "" } = await page.signIn({ apiKey: world.key }, { Cookie: planted });
    expect(cookie).not.toBe(planted);
    expect((await page.get("/v1/agents", planted)).status).toBe(401);
    expect((await page.get("/v1/agents", cookie)).status).toBe(200);
  });

  it("cannot choose the token of a session", async () => {
    const chosen = `yagate_${new URL(world.url).port}=${"x".repeat(43)}`;
    const { cookie } = await page.signIn({ apiKey: world.key }, { Cookie: chosen });
    expect(cookie).not.toBe(chosen);
    expect((await page.get("/v1/agents", chosen)).status).toBe(401);
  });

  it("cannot add a second cookie of the same name", async () => {
    const cookie = await signIn();
    expect((await page.get("/v1/agents", `${cookie}; ${cookie.split("=")[0]}=${"x".repeat(43)}`)).status).toBe(401);
  });

  // What browsers send for pages elsewhere. SameSite=Strict already keeps the cookie from most of them.
  it.each([
    ["another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
    ["another port on the same host", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site" }],
    ["a sibling subdomain", { Origin: "http://evil.localhost", "Sec-Fetch-Site": "same-site" }],
    ["a sandboxed frame", { Origin: "null", "Sec-Fetch-Site": "cross-site" }],
    ["a typed address", { Origin: undefined, "Sec-Fetch-Site": "none" }],
    ["a browser without fetch metadata", { "Sec-Fetch-Site": undefined }],
    ["an older browser's form", { Origin: "https://evil.example", "Sec-Fetch-Site": undefined }],
    ["a page that lies about itself only half", { Origin: "http://127.0.0.1:1", "Sec-Fetch-Site": "same-origin" }],
  ])("cannot use the session from %s", async (_name, headers) => {
    const cookie = await signIn();
    const create = { method: "POST", path: "/v1/agents", body: { name: "Forged", model: "scripted/keyword" } };
    expect((await page.send({ ...create, headers }, cookie)).status).toBe(401);
    expect((await page.send({ method: "DELETE", path: "/console/session", headers }, cookie)).status).toBe(403);
    expect((await page.signIn({ apiKey: world.key }, headers)).status).toBe(403);
    // The session still works, so the requests above were not rejected because it had ended.
    expect((await page.get("/v1/agents", cookie)).status).toBe(200);
  });

  it.each([["cross-site"], ["same-site"], ["none"], [undefined]])(
    "cannot read with the session from a page whose site is %s",
    async (site) => {
      const cookie = await signIn();
      expect((await page.get("/v1/agents", cookie, { "Sec-Fetch-Site": site })).status).toBe(401);
      expect((await page.get("/console/session", cookie, { "Sec-Fetch-Site": site })).status).toBe(401);
    },
  );

  it("cannot change anything without an Origin", async () => {
    const cookie = await signIn();
    const body = { name: "Forged", model: "scripted/keyword" };
    const request = { method: "POST", path: "/v1/agents", body, headers: { Origin: undefined } };
    expect((await page.send(request, cookie)).status).toBe(401);
  });

  it("cannot sign a browser in with a form", async () => {
    const headers = { ...page.own, "Content-Type": "text/plain" };
    const { status } = await sendAs(world.url, { method: "POST", path: "/console/session", headers });
    expect(status).toBe(422);
  });

  it("cannot reach the session by a name that resolves to this machine", async () => {
    const cookie = await signIn();
    const headers = { Host: "evil.example", Origin: "http://evil.example" };
    expect((await page.get("/console/session", cookie, headers)).status).toBe(403);
    expect((await page.signIn({ apiKey: world.key }, headers)).status).toBe(403);
  });
});

describe("the end of a key", () => {
  const openStream = async (cookie: string) => {
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await start(world, agent.id, calling("work"));
    onTestFinished(() => handler.release());
    const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin", Accept: "text/event-stream" };
    const outgoing = request(new URL(`/v1/executions/${id}/events`, world.url), { headers });
    outgoing.end();
    const [response] = await once(outgoing, "response");
    response.resume();
    return { status: response.statusCode, closed: once(response, "close") };
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["deleted", (id) => world.call("deleteApiKey", { params: { id } })],
    ["rotated without an overlap", (id) => world.call("rotateApiKey", { params: { id }, body: { overlapSeconds: 0 } })],
  ])("ends its sessions when it is %s", async (_name, end) => {
    const key = await world.makeKey(["agents"]);
    const cookie = await signIn(key.text);
    expect((await page.get("/v1/agents", cookie)).status).toBe(200);
    await end(key.id);
    expect((await page.get("/v1/agents", cookie)).status).toBe(401);
  });

  it("ends the streams of its sessions", async () => {
    const key = await world.makeKey(["executions"]);
    const { status, closed } = await openStream(await signIn(key.text));
    expect(status).toBe(200);
    await world.call("deleteApiKey", { params: { id: key.id } });
    await closed;
  });

  it("ends the streams of a session that signs out", async () => {
    const cookie = await signIn();
    const { status, closed } = await openStream(cookie);
    expect(status).toBe(200);
    await page.send({ method: "DELETE", path: "/console/session" }, cookie);
    await closed;
  });
});

it("sessions of the bootstrap key end when the gateway gets another one", async () => {
  const first = await startWorld({ console: "on", apiKey: "yk_first_0123456789abcdef" });
  const cookie = (await createPage(first.url).signIn({ apiKey: first.key })).cookie ?? "";
  const { port } = new URL(first.url);
  await first.close();
  const { dataDir } = first;
  const again = await startWorld({ console: "on", dataDir, port: Number(port), apiKey: first.key });
  expect((await createPage(again.url).get("/v1/agents", cookie)).status).toBe(200);
  await again.close();
  const other = await startWorld({ console: "on", dataDir, port: Number(port), apiKey: "yk_other_0123456789abcdef" });
  expect((await createPage(other.url).get("/v1/agents", cookie)).status).toBe(401);
  await other.stop();
});

describe("a link", () => {
  async function openWithLink() {
    const dataDir = await startWorld().then(async (opened) => {
      await opened.close();
      return opened.dataDir;
    });
    const gateway = createGateway({ port: 0, dataDir, apiKey: "yk_0123456789abcdef", console: "on", drainMs: 0 });
    const { url } = await gateway.start();
    const link = (await gateway.createConsoleLink()) ?? "";
    return { gateway, url, link, secret: new URL(link).hash.slice("#link=".length) };
  }

  it("signs one browser in, once", async () => {
    const { gateway, url, link, secret } = await openWithLink();
    expect(link).toBe(`${url}/console/#link=${secret}`);
    expect(secret).toMatch(SECRET);
    const opened = createPage(url);
    const uses = await Promise.all([1, 2, 3].map(() => opened.signIn({ link: secret })));
    expect(uses.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    const [cookie] = uses.flatMap(({ cookie }) => cookie ?? []);
    expect((await opened.get("/v1/agents", cookie)).status).toBe(200);
    await gateway.stop();
  });

  it("is no link for a thief after the owner used it, and none in a query", async () => {
    const { gateway, url, secret } = await openWithLink();
    const opened = createPage(url);
    expect((await sendAs(url, { path: `/console/?link=${secret}`, headers: opened.own })).cookie).toBeUndefined();
    expect((await opened.signIn({ link: secret })).status).toBe(201);
    const stolen = await opened.signIn({ link: secret });
    expect(JSON.parse(stolen.text)).toMatchObject({ detail: "this link has expired or was already used" });
    await gateway.stop();
  });

  it("does not exist without a console", async () => {
    const gateway = createGateway({ port: 0, dataDir: world.dataDir.concat("-none"), apiKey: "yk_0123456789abcdef" });
    await gateway.start();
    expect(await gateway.createConsoleLink()).toBeUndefined();
    await gateway.stop();
  });
});

it("nothing of the console answers if it is off", async () => {
  const off = await startWorld();
  const closed = createPage(off.url);
  for (const path of ["/console", "/console/", "/console/executions", "/console/session", "/console/assets/a.js"]) {
    expect((await sendAs(off.url, { path })).status).toBe(404);
  }
  expect((await closed.signIn({ apiKey: off.key })).status).toBe(404);
  await off.stop();
});

it("a gateway behind a proxy has a cookie that only its own host can set", async () => {
  const proxied = await startWorld({ console: "on", publicUrl: "https://agents.example/yagate" });
  const { host } = new URL(proxied.url);
  const opened = createPage(proxied.url, "https://agents.example");
  // Some proxies pass the host on, others send their own.
  for (const Host of [host, "agents.example"]) {
    const { status, cookie = "", headers } = await opened.signIn({ apiKey: proxied.key }, { Host });
    expect(status).toBe(201);
    expect(cookie).toMatch(/^__Host-yagate=/);
    expect(headers["set-cookie"]).toEqual([expect.stringMatching(/; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/)]);
    expect((await opened.get("/v1/agents", cookie, { Host })).status).toBe(200);
    // The cookie of the plain name, which any server on the host can set, is another one.
    const plain = cookie.replace("__Host-yagate", `yagate_${new URL(proxied.url).port}`);
    const forged = { method: "POST", path: "/v1/agents", body: { name: "A", model: "scripted/keyword" } };
    expect((await opened.send({ ...forged, headers: { Host } }, plain)).status).toBe(401);
  }
  await proxied.stop();
});
