import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { startServer } from "../../egress/test/support/servers.ts";
import { createWorld, failureOf, NOW } from "./support/dispatch-world.ts";
import { type Reply, startHandler, startRawHandler, startReplier } from "./support/handler-server.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

describe("an attempt that may have arrived and was not answered in full", () => {
  it.each<[string, string]>([
    ["closes the connection at once", ""],
    ["closes it after the head", `${HEAD}content-length: 20\r\n\r\n`],
    ["closes it in the body", `${HEAD}content-length: 20\r\n\r\n{"result":1`],
    ["closes it in a chunk", `${HEAD}transfer-encoding: chunked\r\n\r\n14\r\n{"result":1`],
    ["does not speak HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["gives two lengths", `${HEAD}content-length: 12\r\ncontent-length: 13\r\n\r\n{"result":1}`],
  ])("is NETWORK_ERROR with an unknown outcome when the handler %s", async (_name, bytes) => {
    const handler = await startRawHandler((socket) => socket.end(bytes));
    const report = await (await createWorld()).attempt(handler.url);
    expect(failureOf(report)).toMatchObject({
      code: "NETWORK_ERROR",
      message: "the connection to the tool's service was lost before its response was complete",
      source: "gateway",
      isRetryable: true,
      outcome: "unknown",
    });
    expect(report.response).toBeNull();
    expect(report.requestBytes).toBe(report.request.bodyBytes);
    expect(report.requestBytes).toBeGreaterThan(100);
  });

  it("is NETWORK_ERROR when the connection is reset", async () => {
    const handler = await startRawHandler((socket) => socket.resetAndDestroy());
    expect(failureOf(await (await createWorld()).attempt(handler.url))).toMatchObject({
      code: "NETWORK_ERROR",
      outcome: "unknown",
    });
  });

  it.each<[string, (write: (bytes: string) => void) => void]>([
    ["never answers", () => {}],
    ["stops in the head", (write) => write("HTTP/1.1 200 OK\r\ncontent-")],
    ["stops in the body", (write) => write(`${HEAD}content-length: 20\r\n\r\n{`)],
    [
      "drips",
      (write) => {
        write(`${HEAD}content-length: 1000\r\n\r\n`);
        setInterval(() => write(" "), 20).unref();
      },
    ],
  ])("is TIMEOUT at its own deadline when the handler %s", async (_name, serve) => {
    const handler = await startRawHandler((socket) =>
      serve((bytes) => {
        if (socket.writable) socket.write(bytes);
      }),
    );
    const world = await createWorld();
    const report = await world.attempt(handler.url, { tool: { timeout: 400 }, deadline: NOW + 400 });
    expect(failureOf(report)).toMatchObject({
      code: "TIMEOUT",
      message: "the tool did not respond within 400 ms",
      isRetryable: true,
      outcome: "unknown",
    });
    expect(report.durationMs).toBeGreaterThanOrEqual(399);
    expect(report.durationMs).toBeLessThan(3_000);
  });

  it("names the time that was left when the execution had less than the tool's timeout", async () => {
    const handler = await startRawHandler(() => {});
    const report = await (await createWorld()).attempt(handler.url, { tool: { timeout: 5_000 }, deadline: NOW + 80 });
    expect(failureOf(report).message).toBe("the tool did not respond within 80 ms");
  });

  it.each<[string, Reply]>([
    ["says so before", { headers: { "content-length": "2001" }, body: { result: "x".repeat(1_988) } }],
    ["does not say so before", { headers: { "transfer-encoding": "chunked" }, body: "x".repeat(2_001) }],
    ["is larger once it is unpacked", { headers: { "content-encoding": "gzip" }, body: gzipSync("x".repeat(2_001)) }],
  ])("is RESPONSE_TOO_LARGE when a longer answer %s", async (_name, reply) => {
    const handler = await startReplier(reply);
    const world = await createWorld({ maxResponseBytes: 2_000 });
    expect(failureOf(await world.attempt(handler.url))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      isRetryable: false,
      outcome: "unknown",
    });
  });

  it("is a result when its answer has exactly the limit", async () => {
    const result = "x".repeat(2_000 - '{"result":""}'.length);
    const handler = await startReplier({ body: { result } });
    const world = await createWorld({ maxResponseBytes: 2_000 });
    expect((await world.attempt(handler.url)).answer).toEqual({ result });
  });

  it.each<[string, Reply]>([
    ["in a coding that is not known", { headers: { "content-encoding": "zstd" }, body: "x" }],
    ["in another coding than it says", { headers: { "content-encoding": "gzip" }, body: { result: 1 } }],
  ])("is INVALID_RESPONSE when it is answered %s", async (_name, reply) => {
    const handler = await startReplier(reply);
    expect(failureOf(await (await createWorld()).attempt(handler.url))).toMatchObject({
      code: "INVALID_RESPONSE",
      isRetryable: false,
      outcome: "unknown",
    });
  });

  it("is CANCELLED with an unknown outcome when it is aborted on its way", async () => {
    const controller = new AbortController();
    const handler = await startHandler(() => controller.abort());
    const report = await (await createWorld()).attempt(handler.url, { signal: controller.signal });
    expect(failureOf(report)).toMatchObject({ code: "CANCELLED", isRetryable: false, outcome: "unknown" });
  });
});

describe("an attempt that never left", () => {
  it("is NETWORK_ERROR when nobody listens, without naming address or port", async () => {
    const port = await freePort();
    const report = await (await createWorld()).attempt(`http://127.0.0.1:${port}/`);
    expect(failureOf(report)).toMatchObject({
      code: "NETWORK_ERROR",
      message: "the connection to the tool's service could not be established",
      isRetryable: true,
      outcome: "none",
      developerMessage: expect.stringContaining(String(port)),
    });
    expect(report).toMatchObject({ requestBytes: 0, response: null });
  });

  it.each<[string, string, string, boolean]>([
    ["https://nowhere.test/", "ENOTFOUND", "DNS_BLOCKED", false],
    ["https://nowhere.test/", "EAI_AGAIN", "DNS_BLOCKED", true],
    ["https://private.test/", "10.1.2.3", "DNS_BLOCKED", false],
    ["https://metadata.test/", "169.254.169.254", "DNS_BLOCKED", false],
    ["http://public.test/", "93.184.215.14", "DNS_BLOCKED", false],
    ["https://public.test:8443/", "93.184.215.14", "DNS_BLOCKED", false],
    ["https://user:password@public.test/", "93.184.215.14", "URL_BLOCKED", false],
    ["https://10.1.2.3/", "", "DNS_BLOCKED", false],
  ])("to %s, which is %s: %s, retryable: %s", async (url, answer, code, isRetryable) => {
    const world = await createWorld({
      policy: {
        lookup: (_name, _options, callback) =>
          /^\d/.test(answer)
            ? callback(null, [{ address: answer, family: 4 }])
            : callback(Object.assign(new Error(answer), { code: answer }), []),
      },
    });
    const failure = failureOf(await world.attempt(url));
    expect(failure).toMatchObject({ code, isRetryable, outcome: "none", source: "gateway" });
    expect(failure.message).toMatch(
      /^(calls to the tool's URL are not allowed|the host could not be found or is not allowed)$/,
    );
    expect(failure.message).not.toMatch(/\d/);
    expect(failure.developerMessage).not.toBe("");
  });

  it("is TLS_ERROR when the handler's certificate is not to be trusted", async () => {
    const server = await startServer((_request, response) => response.end('{"result":1}'), { certificate: "other" });
    const report = await (await createWorld()).attempt(`https://127.0.0.1:${server.port}/`);
    expect(failureOf(report)).toMatchObject({
      code: "TLS_ERROR",
      message: "the tool's service could not prove its identity",
      isRetryable: false,
      outcome: "none",
    });
    expect(server.requests).toEqual([]);
  });
});
