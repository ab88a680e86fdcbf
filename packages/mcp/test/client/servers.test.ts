import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../test/services/free-port.ts";
import { callMcpTool, type McpCall } from "../../src/client/call-tool.ts";
import { listMcpTools } from "../../src/client/list-tools.ts";
import type { McpEndpoint } from "../../src/client/port.ts";
import { openGuard } from "./support/guarded.ts";
import { type HttpServer, sendJson, startHttpServer } from "./support/http-server.ts";
import { startFirstServer, startSecondServer } from "./support/sdk-servers.ts";

const endpointOf = openGuard();
const list = (endpoint: McpEndpoint, verdict?: McpCall["verdict"]) =>
  listMcpTools(endpoint, { verdict, signal: AbortSignal.timeout(20_000), timeoutMs: 10_000 });

const call = (endpoint: McpEndpoint, change: Partial<McpCall> & Pick<McpCall, "name">) =>
  callMcpTool(endpoint, {
    ...{ arguments: {}, parameters: { type: "object" }, timeoutMs: 10_000, maxResponseBytes: 1_000_000 },
    signal: new AbortController().signal,
    ...change,
  });

const methods = ({ requests }: HttpServer) =>
  requests.map(({ method, body }) => (body === "" ? method : String(JSON.parse(body).method)));

describe.each<[string, "modern" | "legacy", () => Promise<HttpServer>]>([
  ["a server of the second SDK", "modern", () => startSecondServer()],
  ["a server of the second SDK without older revisions", "modern", () => startSecondServer("reject")],
  ["a server of the first SDK", "legacy", () => startFirstServer()],
])("%s", (_what, kind, startServer) => {
  it("lists its tools, and its verdict saves requests", async () => {
    const server = await startServer();
    const { tools, skipped, verdict } = await list(endpointOf(server.url));
    expect(tools.map(({ name }) => name)).toEqual(["echo", "fail", "image", "structured"]);
    expect(tools[0]).toEqual({
      name: "echo",
      description: "Echoes.",
      parameters: { type: "object", properties: { text: { type: "string" } } },
    });
    expect(skipped).toEqual([]);
    expect(verdict?.kind).toBe(kind);
    const asked = server.requests.length;
    await list(endpointOf(server.url), JSON.parse(JSON.stringify(verdict)));
    const modern = ["tools/list"];
    const legacy = ["initialize", "notifications/initialized", "tools/list", "DELETE"];
    expect(methods(server).slice(asked)).toEqual(kind === "modern" ? modern : legacy);
  });

  it.each<[string, Record<string, string>, object]>([
    ["echo", { text: "hello" }, { isError: false, value: "echo: hello", attachments: [], links: [] }],
    ["fail", {}, { isError: true, value: "out of order", attachments: [], links: [] }],
    ["structured", {}, { isError: false, value: { celsius: 21 }, attachments: [], links: [] }],
    [
      "image",
      {},
      {
        isError: false,
        value: "a dot\nthe file",
        attachments: [
          { mediaType: "image/png", data: "aGk=" },
          { mediaType: "application/zip", data: "aGk=", uri: "file:///a.bin" },
        ],
        links: [{ uri: "https://example.com/a", name: "a" }],
      },
    ],
  ])("returns the result of %s", async (name, args, expected) => {
    const server = await startServer();
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const result = await call(endpointOf(server.url), { name, arguments: args, traceparent });
    expect(result).toMatchObject({ ...expected, verdict: { kind } });
    const sent = server.requests.find(({ body }) => body.includes("tools/call"))?.body ?? "";
    expect(JSON.parse(sent).params._meta.traceparent).toBe(traceparent);
  });

  it("gets the credential with each request", async () => {
    const server = await startServer();
    await call(endpointOf(server.url, { authorization: "Bearer secret" }), { name: "echo" });
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer secret"]));
  });
});

describe.each<[string, () => Promise<HttpServer>, () => Promise<HttpServer>, "modern" | "legacy"]>([
  ["to an older revision", () => startSecondServer(), () => startFirstServer(), "legacy"],
  ["to the newest revision alone", () => startFirstServer(), () => startSecondServer("reject"), "modern"],
])("the verdict about a server that changes %s", (_what, startBefore, startAfter, kind) => {
  const outdated = async () => (await list(endpointOf((await startBefore()).url))).verdict;

  it("is corrected before a tool runs", async () => {
    const verdict = await outdated();
    const server = await startAfter();
    const result = await call(endpointOf(server.url), { name: "echo", arguments: { text: "hi" }, verdict });
    expect(result).toMatchObject({ value: "echo: hi", verdict: { kind } });
  });

  it("is corrected by a list, which asks the server once more", async () => {
    const verdict = await outdated();
    const server = await startAfter();
    const listing = await list(endpointOf(server.url), verdict);
    expect(listing.tools).toHaveLength(4);
    expect(listing.verdict?.kind).toBe(kind);
    expect(methods(server).filter((method) => method === "server/discover")).toHaveLength(1);
  });
});

it("a server that rejects every request is asked for its list twice at most", async () => {
  const { verdict } = await list(endpointOf((await startSecondServer()).url));
  const server = await startHttpServer((_request, response) => sendJson(response, { error: "no" }, 400));
  await expect(list(endpointOf(server.url), verdict)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(methods(server).filter((method) => method === "tools/list").length).toBeLessThanOrEqual(2);
  expect(server.requests.length).toBeLessThanOrEqual(5);
});

describe("the server everything", async () => {
  const require = createRequire(import.meta.url);
  const path = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
  const port = await freePort();
  const server = spawn(process.execPath, [path, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  afterAll(() => server.kill());
  const listening = once(server.stderr, "data");

  it("lists its tools, and calls them with progress", async () => {
    await listening;
    const endpoint = endpointOf(`http://127.0.0.1:${port}/mcp`);
    const { tools, skipped, verdict } = await list(endpoint);
    expect(skipped).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "get-sum"]));
    const sum = await call(endpoint, { name: "get-sum", arguments: { a: 2, b: 3 }, verdict });
    expect(sum).toMatchObject({ isError: false, value: expect.stringContaining("5") });
    const progress: unknown[] = [];
    const long = await call(endpoint, {
      name: "trigger-long-running-operation",
      arguments: { duration: 0.3, steps: 3 },
      verdict,
      onProgress: (message) => progress.push(message),
    });
    expect(long).toMatchObject({ isError: false });
    expect(progress.length).toBeGreaterThan(0);
    const image = await call(endpoint, { name: "get-tiny-image", verdict });
    expect(image).toMatchObject({ attachments: [{ mediaType: "image/png" }] });
  });
});
