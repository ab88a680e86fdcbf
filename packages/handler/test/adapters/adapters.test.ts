import { gzipSync } from "node:zlib";
import { verifyAnswerSignature } from "@yagate/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ClaimRequest,
  createHandler,
  createMemoryIdempotencyStore,
  type Tool,
  ToolError,
} from "../../src/index.ts";
import { type SignedCallOptions, signedCallParts } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { createGate } from "../support/gate.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { call, toolThat, typedTool } from "../support/tools.ts";
import type { Message, Mounted } from "./adapter.ts";
import { adapters } from "./adapters.ts";

const MAX_BODY_BYTES = 2_000;

describe.each(adapters)("$name", ({ mount }) => {
  const mounted: Mounted[] = [];

  afterEach(async () => {
    for (const each of mounted.splice(0)) await each.close();
  });

  async function serve(...tools: Tool[]) {
    const logger = createRecordingLogger();
    const idempotency = createCountingStore();
    const handler = createHandler({ secrets: SECRET, tools, logger, idempotency, maxBodyBytes: MAX_BODY_BYTES });
    const server = await mount(handler);
    mounted.push(server);
    return { server, logger, claims: idempotency.claims };
  }

  /** Sends a signed call, checks the answer's signature, and returns its status and content. */
  async function ask(server: Mounted, options: Partial<SignedCallOptions> = {}, toMessage = wholeMessage) {
    const parts = await signedCallParts(call(options));
    const { status, headers, body } = await server.send(toMessage(Object.entries(parts.headers), parts.body));
    const signature = headers.get("x-ya-signature");
    if (signature !== null)
      await verifyAnswerSignature(signature, { toolCallId: parts.toolCallId, status, body }, [SECRET]);
    expect(headers.get("content-type")).toBe("application/json");
    return { status, isSigned: signature !== null, ...JSON.parse(Buffer.from(body).toString()) };
  }

  it("answers a call with the signed result", async () => {
    const { server } = await serve(typedTool);
    const expected = { status: 200, isSigned: true, result: { orderId: "ORD-12345", limit: 10 } };
    expect(await ask(server)).toEqual(expected);
    expect(await ask(server)).toEqual(expected);
  });

  it("reads a body whose characters are split between chunks", async () => {
    const { server } = await serve(toolThat(({ city }) => city));
    const city = "Zürich ☃ 😀";
    const bytewise = (headers: HeaderList, body: Uint8Array) => ({
      headers,
      chunks: Array.from(body, (byte) => Uint8Array.of(byte)),
    });
    expect(await ask(server, { parameters: { city } }, bytewise)).toMatchObject({ isSigned: true, result: city });
  });

  it("reads a body whose length is announced", async () => {
    const { server } = await serve(typedTool);
    const withLength = (headers: HeaderList, body: Uint8Array): Message => ({
      headers: [...headers, ["content-length", String(body.byteLength)]],
      chunks: [body.subarray(0, 100), body.subarray(100)],
    });
    expect((await ask(server, {}, withLength)).status).toBe(200);
  });

  it.each([
    ["at once", 1],
    ["in pieces", 7],
  ])("refuses a body past the limit that comes %s, and takes the next call", async (_name, pieces) => {
    const { server } = await serve(typedTool);
    const piece = new Uint8Array(Math.ceil((MAX_BODY_BYTES + 1) / pieces));
    const oversize = (headers: HeaderList): Message => ({
      headers,
      chunks: Array.from({ length: pieces }, () => piece),
    });
    expect(await ask(server, {}, oversize)).toMatchObject({
      status: 413,
      isSigned: false,
      error: { code: "BODY_TOO_LARGE" },
    });
    expect((await ask(server)).status).toBe(200);
  });

  it("takes a body of exactly the limit", async () => {
    const { server } = await serve(toolThat(() => "whole"));
    const { body } = await signedCallParts(
      call({ parameters: { x: "" }, toolCallId: "tc_1", agentId: "agt_1", executionId: "exec_1" }),
    );
    const x = "x".repeat(MAX_BODY_BYTES - body.byteLength);
    const exact = { parameters: { x }, toolCallId: "tc_1", agentId: "agt_1", executionId: "exec_1" };
    expect((await ask(server, exact)).result).toBe("whole");
    expect((await ask(server, { ...exact, parameters: { x: `${x}x` } })).status).toBe(413);
  });

  it("reads two signature headers as one list", async () => {
    const { server } = await serve(typedTool);
    const twice = (headers: HeaderList, body: Uint8Array): Message => ({
      headers: [["X-YA-Signature", `sha256=${"0".repeat(64)}`], ...headers],
      chunks: [body],
    });
    expect((await ask(server, {}, twice)).status).toBe(200);
  });

  it.each<[string, (headers: HeaderList, body: Uint8Array) => Message, number, string]>([
    [
      "a compressed body",
      (headers, body) => ({ headers: [...headers, ["content-encoding", "gzip"]], chunks: [gzipSync(body)] }),
      400,
      "PAYLOAD_INVALID",
    ],
    [
      "a changed body",
      (headers, body) => ({ headers, chunks: [body, Uint8Array.of(0x20)] }),
      401,
      "SIGNATURE_MISMATCH",
    ],
    ["no body", (headers) => ({ headers, chunks: [] }), 401, "SIGNATURE_MISMATCH"],
    [
      "no signature",
      (headers, body) => ({ headers: headers.filter(([name]) => name !== "x-ya-signature"), chunks: [body] }),
      401,
      "SIGNATURE_MISSING",
    ],
    ["another method", (headers, body) => ({ method: "PUT", headers, chunks: [body] }), 405, "METHOD_NOT_ALLOWED"],
    ["GET", (headers) => ({ method: "GET", headers, chunks: [] }), 405, "METHOD_NOT_ALLOWED"],
  ])("refuses %s", async (_name, toMessage, status, code) => {
    const { server } = await serve(typedTool);
    expect(await ask(server, {}, toMessage)).toMatchObject({ status, isSigned: false, error: { code } });
  });

  it("answers HEAD without a body", async () => {
    const { server } = await serve(typedTool);
    expect((await server.send({ method: "HEAD", headers: [], chunks: [] })).status).toBe(405);
  });

  it.each<[string, Partial<SignedCallOptions>, number, string]>([
    ["a tool that is not there", { name: "cancel_order" }, 404, "UNKNOWN_TOOL"],
    ["wrong parameters", { parameters: { orderId: 1 } }, 422, "INVALID_ARGUMENTS"],
    ["a call that is too old", { timestampMs: Date.now() - 301_000 }, 401, "TIMESTAMP_TOO_OLD"],
  ])("answers %s with a signed error", async (_name, options, status, code) => {
    const { server } = await serve(typedTool);
    expect(await ask(server, options)).toMatchObject({ status, isSigned: true, error: { code } });
  });

  it("answers a tool that throws without its text", async () => {
    const { server } = await serve(toolThat(() => Promise.reject(new Error("password=hunter2"))));
    expect(await ask(server)).toEqual({
      status: 500,
      isSigned: true,
      error: { code: "INTERNAL", message: "the tool failed unexpectedly" },
    });
  });

  it("runs fifty duplicates at once one time, and a later attempt again only after a failure for now", async () => {
    const gate = createGate();
    let runs = 0;
    const { server, claims } = await serve(
      toolThat(async () => {
        runs += 1;
        await gate.opened;
        if (runs === 1) throw new ToolError("BUSY", "come again", { retryable: true });
        return runs;
      }),
    );
    const first = Array.from({ length: 50 }, () => ask(server, { toolCallId: "tc_1" }));
    await vi.waitFor(() => expect(claims()).toBe(50));
    gate.open();
    for (const answer of await Promise.all(first))
      expect(answer).toMatchObject({ status: 200, error: { code: "BUSY" } });
    expect((await ask(server, { toolCallId: "tc_1", attempt: 2 })).result).toBe(2);
    expect((await ask(server, { toolCallId: "tc_1", attempt: 3 })).result).toBe(2);
    expect((await ask(server, { toolCallId: "tc_1", attempt: 3, parameters: {} })).error.code).toBe("CALL_CONFLICT");
  });

  it("answers for a tool that never does, and lets the call run again", async () => {
    let runs = 0;
    const { server } = await serve(toolThat(() => (++runs === 1 ? new Promise(() => {}) : "second")));
    expect(await ask(server, { toolCallId: "tc_1", timeoutMs: 50 })).toMatchObject({
      status: 504,
      error: { code: "TIMEOUT" },
    });
    expect((await ask(server, { toolCallId: "tc_1", attempt: 2 })).result).toBe("second");
  });

  it("runs nothing for a client that leaves before its body is whole", async () => {
    let runs = 0;
    const { server, logger } = await serve(toolThat(() => (runs += 1)));
    const { headers, body } = await signedCallParts(call());
    await server.sendAndLeave({ headers: Object.entries(headers), chunks: [body.subarray(0, 50)] });
    expect((await ask(server)).result).toBe(1);
    expect(logger.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("tells a running tool that its client has left", async () => {
    const started = createGate();
    const aborted = createGate<unknown>();
    const { server } = await serve(
      toolThat((_parameters, { signal }) => {
        signal.addEventListener("abort", () => aborted.open(signal.reason));
        started.open();
        return aborted.opened;
      }),
    );
    const { headers, body } = await signedCallParts(call());
    await server.sendAndLeaveWhen(wholeMessage(Object.entries(headers), body), started.opened);
    expect(await aborted.opened).toMatchObject({ name: "AbortError" });
  });
});

/** A memory store that tells how many calls have come so far. */
function createCountingStore() {
  const store = createMemoryIdempotencyStore();
  let count = 0;
  return {
    claims: () => count,
    claim(request: ClaimRequest) {
      count += 1;
      return store.claim(request);
    },
    complete: store.complete.bind(store),
    release: store.release.bind(store),
    wait: store.wait.bind(store),
  };
}

type HeaderList = readonly (readonly [string, string])[];

function wholeMessage(headers: HeaderList, body: Uint8Array): Message {
  return { headers, chunks: [body] };
}
