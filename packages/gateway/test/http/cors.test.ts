import { afterAll, describe, expect, it } from "vitest";
import { makeAgent, saying, start } from "./support/agents.ts";
import { startApp } from "./support/app.ts";
import { EventReader } from "./support/event-reader.ts";
import { startWorld } from "./support/world.ts";

const PAGE = "https://app.example";
const LOCAL_PAGE = "http://localhost:5173";

const world = await startWorld({ corsOrigins: [PAGE, LOCAL_PAGE] });
const closedWorld = await startWorld();
afterAll(() => Promise.all([world.stop(), closedWorld.stop()]));

const agent = await makeAgent(world);
const { id } = await start(world, agent.id, saying("hello"));

const narrow = await world.makeKey(["executions"]);

interface Asked {
  readonly origin?: string;
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(path: string, { origin, key = world.key, method = "GET", headers, body }: Asked = {}, url = world.url) {
  return fetch(url + path, {
    method,
    headers: {
      ...(origin === undefined ? {} : { origin }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

const preflight = (path: string, origin: string, url = world.url) =>
  ask(
    path,
    {
      origin,
      key: null,
      method: "OPTIONS",
      headers: { "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
    },
    url,
  );

/** What a browser reads of the headers. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));
}

const READABLE = {
  "access-control-allow-origin": PAGE,
  "access-control-expose-headers": "Date, Location, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id",
  vary: "Origin",
};

describe("a page of a named origin", () => {
  it("may ask whether it may send its headers, without a key", async () => {
    const answer = await preflight(`/v1/executions/${id}/events`, PAGE);
    expect(answer.status).toBe(204);
    expect(corsOf(answer)).toEqual({
      ...READABLE,
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers":
        "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, MCP-Protocol-Version, Mcp-Method, Mcp-Name",
      "access-control-max-age": "600",
    });
    expect(corsOf(await preflight("/v1/agents", LOCAL_PAGE))).toMatchObject({
      "access-control-allow-origin": LOCAL_PAGE,
    });
  });

  it("reads an answer, and an event stream", async () => {
    expect(corsOf(await ask(`/v1/executions/${id}`, { origin: PAGE }))).toEqual(READABLE);
    const stream = await ask(`/v1/executions/${id}/events`, { origin: PAGE });
    expect(corsOf(stream)).toEqual(READABLE);
    expect((await new EventReader(stream).all()).length).toBeGreaterThan(2);
    const started = await ask(`/v1/agents/${agent.id}/executions`, {
      origin: PAGE,
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(saying("hi")),
    });
    expect(corsOf(started)).toEqual(READABLE);
    await started.body?.cancel();
  });

  it.each<[string, number, string, Asked]>([
    ["no key", 401, "/v1/executions", { key: null }],
    ["a token that is over", 401, `/v1/executions/${id}/events`, { key: "yt_e30.e30.e30" }],
    ["a route that is closed", 403, "/v1/workspaces", { key: narrow.text }],
    ["an id that nobody has", 404, "/v1/executions/exec_none", {}],
    ["a path that does not exist", 404, "/v1/nowhere", {}],
    ["a path that can't be decoded", 404, "/v1/agents/%ff", {}],
    [
      "a body that is too large",
      413,
      "/v1/api-keys",
      { method: "POST", headers: { "content-type": "application/json" }, body: "x".repeat(1_100_000) },
    ],
    [
      "wrong fields",
      422,
      "/v1/agents",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
    ],
    ["a wrong header", 422, `/v1/executions/${id}/events`, { headers: { "last-event-id": "x" } }],
  ])("reads why it is refused: %s", async (_what, status, path, asked) => {
    const answer = await ask(path, { ...asked, origin: PAGE });
    expect({ status: answer.status, ...corsOf(answer) }).toEqual({ status, ...READABLE });
    expect(await answer.json()).toMatchObject({ status });
  });

  it("reads why the gateway fails, and when to come back", async () => {
    const app = await startApp({
      app: ({ routes }) => ({
        corsOrigins: [PAGE],
        routes: routes.map((route) =>
          route.name === "listAgents"
            ? {
                ...route,
                async handle() {
                  throw new Error("a defect");
                },
              }
            : route,
        ),
      }),
    });
    try {
      const answer = await ask("/v1/agents", { origin: PAGE, key: app.key }, app.url);
      expect({ status: answer.status, ...corsOf(answer) }).toEqual({ status: 500, ...READABLE });
    } finally {
      await app.stop();
    }
  });

  it("is never asked for cookies", async () => {
    for (const answer of [await preflight("/v1/agents", PAGE), await ask("/v1/agents", { origin: PAGE })]) {
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("reads nothing outside of the API", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/nowhere", "/v1"]) {
      expect({ path, ...corsOf(await ask(path, { origin: PAGE })) }).toEqual({ path });
      expect({ path, status: (await preflight(path, PAGE)).status }).toEqual({ path, status: 403 });
    }
  });
});

describe.each([
  "https://evil.example",
  "null",
  "http://app.example",
  "https://app.example:8443",
  "https://app.example.evil.example",
  "https://notapp.example",
  "https://sub.app.example",
  "https://APP.example",
  "https://app.example/",
  `${PAGE}, ${LOCAL_PAGE}`,
  "http://localhost:5174",
  "*",
])("a page of the origin %s", (origin) => {
  it("may not ask", async () => {
    const answer = await preflight("/v1/agents", origin);
    expect({ status: answer.status, ...corsOf(answer) }).toEqual({ status: 403, vary: "Origin" });
    expect(await answer.json()).toMatchObject({
      code: "FORBIDDEN",
      hint: expect.stringContaining("YAGATE_CORS_ORIGINS"),
    });
  });

  it("can't read answers", async () => {
    expect(corsOf(await ask("/v1/agents", { origin }))).toEqual({ vary: "Origin" });
    expect(corsOf(await ask("/v1/agents", { origin, key: null }))).toEqual({ vary: "Origin" });
  });
});

it("callers that are no pages notice nothing but that answers differ by origin", async () => {
  const answer = await ask("/v1/agents");
  expect({ status: answer.status, ...corsOf(answer) }).toEqual({ status: 200, vary: "Origin" });
  expect((await ask("/v1/agents", { key: null, method: "OPTIONS" })).status).toBe(405);
});

it("without the setting no page of another origin reads anything, local ones neither", async () => {
  for (const origin of [PAGE, LOCAL_PAGE, "http://127.0.0.1:3000", closedWorld.url]) {
    expect(corsOf(await ask("/v1/agents", { origin, key: closedWorld.key }, closedWorld.url))).toEqual({});
    const refused = await preflight("/v1/agents", origin, closedWorld.url);
    expect({ status: refused.status, ...corsOf(refused) }).toEqual({ status: 403 });
  }
});
