import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { openGuard, toWork } from "./support/guarded.ts";
import { sendResult, startHostileServer } from "./support/hostile-server.ts";
import { sendJson, startHttpServer } from "./support/http-server.ts";

const endpointOf = openGuard();
const call = toWork(endpointOf);

const EVENTS = { "content-type": "text/event-stream" };

describe("a call without a result", () => {
  it("ends at once when its stream ends early", async () => {
    const server = await startHostileServer({
      call: (response) => response.writeHead(200, EVENTS).end(": nothing\n\n"),
    });
    await expect(call(server.url)).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      outcome: "unknown",
      message: "the MCP server ended its response early",
    });
  });

  it("ends at once when its stream breaks", async () => {
    const server = await startHostileServer({
      call(response) {
        response.writeHead(200, EVENTS).write(": nothing\n\n");
        response.destroy();
      },
    });
    await expect(call(server.url)).rejects.toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
  });

  it.each(["text/event-stream", "application/json"])("ends when its response in %s is too large", async (type) => {
    const server = await startHostileServer({
      call: (response) => response.writeHead(200, { "content-type": type }).end(`data: ${"x".repeat(200_000)}`),
    });
    await expect(call(server.url)).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE", outcome: "unknown" });
  });

  it("ends after the time without progress", async () => {
    const server = await startHostileServer({
      call: (response) => response.writeHead(200, EVENTS).write(": wait\n\n"),
    });
    await expect(call(server.url, { idleMs: 200 })).rejects.toMatchObject({ code: "TIMEOUT", outcome: "unknown" });
  });

  it("ends after its complete time, whatever progress the server reports", async () => {
    const server = await startHostileServer({
      call(response, { params }) {
        const { _meta } = Object(params);
        response.writeHead(200, EVENTS);
        let progress = 0;
        const timer = setInterval(() => {
          progress += 1;
          const notification = { progressToken: Object(_meta).progressToken, progress };
          const message = { jsonrpc: "2.0", method: "notifications/progress", params: notification };
          response.write(`data: ${JSON.stringify(message)}\n\n`);
        }, 20);
        response.once("close", () => clearInterval(timer));
      },
    });
    let heard = 0;
    const onProgress = () => {
      heard += 1;
    };
    await expect(call(server.url, { timeoutMs: 600, idleMs: 300, onProgress })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    expect(heard).toBeGreaterThan(1);
  });

  it("ends when it is cancelled", async () => {
    const cancel = new AbortController();
    const server = await startHostileServer({ call: () => cancel.abort() });
    await expect(call(server.url, { signal: cancel.signal })).rejects.toMatchObject({
      code: "CANCELLED",
      outcome: "unknown",
    });
  });

  it.each<[string, Parameters<typeof startHostileServer>[0]["call"], string, string]>([
    [
      "an unknown tool",
      (response, { id }) => sendJson(response, { jsonrpc: "2.0", id, error: { code: -32_602, message: "no" } }),
      "UNKNOWN_TOOL",
      "none",
    ],
    ["a rejected request", (response) => sendJson(response, {}, 422), "HANDLER_ERROR", "none"],
    ["a failed server", (response) => sendJson(response, {}, 500), "HANDLER_ERROR", "unknown"],
    [
      "a block of an unknown type",
      (response, { id }) => sendResult(response, id, { content: [{ type: "video" }] }),
      "HANDLER_ERROR",
      "unknown",
    ],
    [
      "a question",
      (response, { id }) => sendResult(response, id, { resultType: "input_required", inputRequests: {} }),
      "HANDLER_ERROR",
      "unknown",
    ],
  ])("has a code and an outcome: %s", async (_what, respond, code, outcome) => {
    const server = await startHostileServer({ ...(respond && { call: respond }) });
    await expect(call(server.url)).rejects.toMatchObject({ code, outcome });
  });

  it("never reaches a private network", async () => {
    await expect(call("http://192.168.0.1/mcp")).rejects.toMatchObject({ code: "DNS_BLOCKED", outcome: "none" });
  });

  it("has not run if the server failed before it was called", async () => {
    const server = await startHttpServer((_, response) => sendJson(response, {}, 500));
    await expect(call(server.url)).rejects.toMatchObject({ code: "HANDLER_ERROR", outcome: "none" });
  });

  it("does not follow a redirect", async () => {
    const target = await startHttpServer((_, response) => sendJson(response, {}));
    const server = await startHostileServer({
      call: (response) => response.writeHead(308, { location: target.url }).end(),
    });
    await expect(call(server.url)).rejects.toMatchObject({ code: "REDIRECT_REFUSED" });
    expect(target.requests).toEqual([]);
  });
});

it("an output schema of the server is not evaluated", async () => {
  const content = [{ type: "text", text: "a" }];
  const server = await startHostileServer({
    call: (response, { id }) => sendResult(response, id, { content, structuredContent: { a: `${"a".repeat(40)}!` } }),
  });
  const parameters = { type: "object", properties: {}, outputSchema: { properties: { a: { pattern: "^(a+)+$" } } } };
  expect(await call(server.url, { parameters })).toMatchObject({ value: { a: `${"a".repeat(40)}!` } });
});

it("a standing stream of an old server is not opened, so it cannot be reopened without end", async () => {
  const server = await startHttpServer(({ method, body }, response) => {
    if (method === "GET") return response.writeHead(200, EVENTS).end("retry: 1\n\n");
    const { id, method: asked } = JSON.parse(body);
    if (asked === "server/discover")
      return sendJson(response, { jsonrpc: "2.0", id, error: { code: -32_601, message: "" } });
    if (id === undefined) return response.writeHead(202).end();
    const initialized = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "a", version: "1" },
    };
    return sendJson(response, { jsonrpc: "2.0", id, result: asked === "initialize" ? initialized : { content: [] } });
  });
  expect(await call(server.url)).toMatchObject({ isError: false, value: "", verdict: { kind: "legacy" } });
  expect(server.requests.filter(({ method }) => method === "GET")).toEqual([]);
});

/** A server of the revision 2025-11-25 that responds to calls as a test says, and to GET with `resume`. */
function startResumable(
  call: (response: ServerResponse) => unknown,
  resume: (response: ServerResponse, lastEventId: string, callId: unknown) => unknown,
) {
  let callId: unknown;
  return startHttpServer(({ method, headers, body }, response) => {
    if (method === "GET") return resume(response, String(headers["last-event-id"]), callId);
    const { id, method: asked } = body === "" ? {} : JSON.parse(body);
    if (asked === "tools/call") {
      callId = id;
      return call(response.writeHead(200, EVENTS));
    }
    if (id === undefined) return response.writeHead(202).end();
    const serverInfo = { name: "old", version: "1" };
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    return sendJson(response, { jsonrpc: "2.0", id, ...(asked === "initialize" ? { result } : { error: NO_METHOD }) });
  });
}

const NO_METHOD = { code: -32_601, message: "" };
const PRIMING = "id: 1\nretry: 10\ndata: \n\n";

describe("a response with event ids", () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ["ends", (response) => response.end(PRIMING)],
    ["breaks", (response) => response.write(PRIMING, () => response.destroy())],
  ])("that %s is resumed after its last event, and the call is sent once", async (_what, respond) => {
    const server = await startResumable(respond, (response, lastEventId, id) => {
      const result = { content: [{ type: "text", text: `after ${lastEventId}` }] };
      response.writeHead(200, EVENTS).end(`id: 2\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    });
    expect(await call(server.url)).toMatchObject({ value: "after 1" });
    expect(server.requests.filter(({ body }) => body.includes("tools/call"))).toHaveLength(1);
  });

  it("is not requested at once because its server names a delay that is too long for a timer", async () => {
    const server = await startResumable(
      (response) => response.end("id: 1\nretry: 3000000000\ndata: \n\n"),
      (response, lastEventId) => response.writeHead(200, EVENTS).end(`id: ${lastEventId}1\ndata: \n\n`),
    );
    await expect(call(server.url, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(server.requests.filter(({ method }) => method === "GET")).toEqual([]);
  });

  it("that ends without a result after it was resumed ends the call", async () => {
    const server = await startResumable(
      (response) => response.end(PRIMING),
      (response) => response.writeHead(200, EVENTS).end(": nothing\n\n"),
    );
    await expect(call(server.url)).rejects.toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
  });
});
