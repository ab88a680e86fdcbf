import { gzipSync } from "node:zlib";
import { generateSigningSecret } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SignedCallOptions, type SignedDescribeOptions, signedCallParts } from "../../src/testing.ts";
import type { Mounted, Reachable } from "./adapter.ts";
import {
  ask,
  askForManifest,
  newName,
  openGate,
  reportOf,
  suiteCall,
  type ToMessage,
  wholeMessage,
  workCall,
} from "./suite-client.ts";
import { SUITE_MAX_BODY_BYTES, type WorkStep } from "./suite-handler.ts";

/** Some are built before they are served. */
const MOUNT_TIMEOUT_MS = 180_000;

/** A place where the handler of `suite-handler.ts` can be reached. */
export interface SuiteTarget {
  readonly name: string;
  /** Why a tool can't learn that its client has left; absent where it can. */
  readonly leavingUnseen?: string | undefined;
  mount(): Promise<Mounted>;
}

/** What every adapter is held to, over whatever server and runtime it runs on. */
export function describeAdapter({ name, leavingUnseen, mount }: SuiteTarget): void {
  describe(name, () => {
    let mounted: Mounted | undefined;
    const server: Reachable = {
      send: (message) => reached().send(message),
      sendAndLeave: (message) => reached().sendAndLeave(message),
      sendAndLeaveWhen: (message, leave) => reached().sendAndLeaveWhen(message, leave),
    };
    const reached = () => {
      if (mounted === undefined) throw new Error("expected a mounted handler");
      return mounted;
    };

    beforeAll(async () => {
      mounted = await mount();
    }, MOUNT_TIMEOUT_MS);

    afterAll(() => mounted?.close());

    describe("the bytes", () => readsBytes(server));
    describe("a refusal", () => refuses(server));
    describe("an error", () => answersErrors(server));
    describe("a call that comes again", () => runsOnce(server));
    describe("a describe request", () => describesTools(server));
    describe("a client that leaves", () => outlivesClients(server, leavingUnseen));
  });
}

function readsBytes(server: Reachable): void {
  it("of a call are read, and the result is signed", async () => {
    const expected = { status: 200, isSigned: true, result: { orderId: "ORD-12345", limit: 10 } };
    expect(await ask(server)).toEqual(expected);
    expect(await ask(server)).toEqual(expected);
  });

  it("are read when characters are split between chunks", async () => {
    const parameters = { city: "Zürich ☃ 😀" };
    const bytewise: ToMessage = (headers, body) => ({
      headers,
      chunks: Array.from(body, (byte) => Uint8Array.of(byte)),
    });
    expect(await ask(server, { name: "echo", parameters }, bytewise)).toMatchObject({
      isSigned: true,
      result: parameters,
    });
  });

  it("are read when their number is announced", async () => {
    const withLength: ToMessage = (headers, body) => ({
      headers: [...headers, ["content-length", String(body.byteLength)]],
      chunks: [body.subarray(0, 100), body.subarray(100)],
    });
    expect((await ask(server, {}, withLength)).status).toBe(200);
  });

  it("may be as many as the limit", async () => {
    const ids = () => ({ name: "echo", toolCallId: newName("tc"), agentId: "agt_1", executionId: "exec_1" });
    const parameters = (characters: number) => ({ parameters: { x: "x".repeat(characters) } });
    const { body } = await signedCallParts(suiteCall({ ...ids(), ...parameters(0) }));
    const room = SUITE_MAX_BODY_BYTES - body.byteLength;
    expect((await ask(server, { ...ids(), ...parameters(room) })).status).toBe(200);
    expect((await ask(server, { ...ids(), ...parameters(room + 1) })).status).toBe(413);
  });

  it.each([
    ["at once", 1],
    ["in pieces", 7],
  ])("are refused past the limit when they come %s, and the next call is answered", async (_name, pieces) => {
    const piece = new Uint8Array(Math.ceil((SUITE_MAX_BODY_BYTES + 1) / pieces));
    const oversize: ToMessage = (headers) => ({ headers, chunks: Array.from({ length: pieces }, () => piece) });
    expect(await ask(server, {}, oversize)).toMatchObject({
      status: 413,
      isSigned: false,
      error: { code: "BODY_TOO_LARGE" },
    });
    expect((await ask(server)).status).toBe(200);
  });
}

function refuses(server: Reachable): void {
  it.each<[string, ToMessage, number, string]>([
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
  ])("meets %s", async (_name, toMessage, status, code) => {
    expect(await ask(server, {}, toMessage)).toMatchObject({ status, isSigned: false, error: { code } });
  });

  it("meets HEAD, without a body", async () => {
    expect((await server.send({ method: "HEAD", headers: [], chunks: [] })).status).toBe(405);
  });

  it("does not meet two signature headers, one of them right", async () => {
    const twice: ToMessage = (headers, body) => ({
      headers: [["X-YA-Signature", `sha256=${"0".repeat(64)}`], ...headers],
      chunks: [body],
    });
    expect((await ask(server, {}, twice)).status).toBe(200);
  });
}

function answersErrors(server: Reachable): void {
  it.each<[string, Partial<SignedCallOptions>, number, string]>([
    ["a tool that is not there", { name: "cancel_order" }, 404, "UNKNOWN_TOOL"],
    ["wrong parameters", { parameters: { orderId: 1 } }, 422, "INVALID_ARGUMENTS"],
    ["a call that is too old", { timestampMs: Date.now() - 301_000 }, 401, "TIMESTAMP_TOO_OLD"],
  ])("is signed for %s", async (_name, options, status, code) => {
    expect(await ask(server, options)).toMatchObject({ status, isSigned: true, error: { code } });
  });

  it("of a tool that throws does not tell its text", async () => {
    expect(await ask(server, workCall(["throw"]))).toEqual({
      status: 500,
      isSigned: true,
      error: { code: "INTERNAL", message: "the tool failed unexpectedly" },
    });
  });

  it("comes for a tool that never answers, and the call may run again", async () => {
    // A busy machine may use up the time before the tool runs: then with more of it.
    for (const timeoutMs of [50, 500, 5_000]) {
      const call = workCall(["never answer", "answer"]);
      expect(await ask(server, { ...call, timeoutMs })).toMatchObject({ status: 504, error: { code: "TIMEOUT" } });
      if ((await reportOf(server, call)).runs === 0) continue;
      expect((await ask(server, { ...call, attempt: 2 })).result).toBe(2);
      return;
    }
    expect.unreachable("the tool never ran");
  });
}

function runsOnce(server: Reachable): void {
  const ends: [string, WorkStep, Record<string, unknown>, number][] = [
    ["a result holds for good", "answer", { status: 200, isSigned: true, result: 1 }, 1],
    ["a failure for now is tried again", "fail for now", { status: 200, isSigned: true, error: { code: "BUSY" } }, 2],
    ["an exception is tried again", "throw", { status: 500, isSigned: true, error: { code: "INTERNAL" } }, 2],
  ];
  it.each(ends)("fifty times at once runs one time, and %s", async (_name, step, expected, runs) => {
    const call = workCall([step, "answer"], { isGated: true });
    const first = Array.from({ length: 50 }, () => ask(server, call));
    await vi.waitFor(async () => expect((await reportOf(server, call)).claims).toBe(50), 10_000);
    await openGate(server, call);
    for (const answer of await Promise.all(first)) expect(answer).toMatchObject(expected);
    expect((await reportOf(server, call)).runs).toBe(1);
    expect((await ask(server, { ...call, attempt: 2 })).result).toBe(runs);
    expect((await ask(server, { ...call, attempt: 3 })).result).toBe(runs);
    expect((await reportOf(server, call)).runs).toBe(runs);
  });

  it("and was deferred is pending for all of them, and its tool has the callback", async () => {
    const callback = { url: "https://gateway.example.com/v1/callbacks/tc_1", token: "token" };
    const call = { ...workCall(["defer"], { isGated: true }), callback };
    const pending = { status: 202, isSigned: true, pending: true };
    const first = Array.from({ length: 20 }, () => ask(server, call));
    await vi.waitFor(async () => expect((await reportOf(server, call)).claims).toBe(20), 10_000);
    await openGate(server, call);
    for (const answer of await Promise.all(first)) expect(answer).toEqual(pending);
    expect(await ask(server, { ...call, attempt: 2 })).toEqual(pending);
    const seen = { runs: 1, callback: { ...callback, toolCallId: call.toolCallId, expiresAt: expect.any(String) } };
    expect(await reportOf(server, call)).toMatchObject(seen);
  });

  it("with other parameters is refused", async () => {
    const call = workCall(["answer"]);
    expect((await ask(server, call)).result).toBe(1);
    expect((await ask(server, { ...call, parameters: {} })).error.code).toBe("CALL_CONFLICT");
    expect((await reportOf(server, call)).runs).toBe(1);
  });
}

function describesTools(server: Reachable): void {
  it("is answered with the tools of the handler, also when its bytes come one by one", async () => {
    const bytewise: ToMessage = (headers, body) => ({
      headers,
      chunks: Array.from(body, (byte) => Uint8Array.of(byte)),
    });
    const manifest = await askForManifest(server);
    expect(manifest).toMatchObject({ status: 200, isSigned: true, protocolVersion: 1 });
    expect(manifest.tools.map(({ name }: { name: string }) => name)).toEqual([
      "lookup_order",
      "echo",
      "work",
      "open",
      "report",
    ]);
    expect(manifest.tools[0].parameters).toEqual({
      type: "object",
      properties: {
        orderId: { type: "string", pattern: "^ORD-" },
        limit: { type: "integer", default: 10, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ["orderId"],
      additionalProperties: false,
    });
    expect(await askForManifest(server, {}, bytewise)).toEqual(manifest);
  });

  it.each<[string, Partial<SignedDescribeOptions>, number, boolean, string]>([
    ["too old", { timestampMs: Date.now() - 301_000 }, 401, true, "TIMESTAMP_TOO_OLD"],
    ["signed with a different secret", { secret: generateSigningSecret() }, 401, false, "SIGNATURE_MISMATCH"],
    ["not a describe request", { fields: { type: "call" } }, 400, false, "PAYLOAD_INVALID"],
  ])("is refused if it is %s", async (_name, options, status, isSigned, code) => {
    expect(await askForManifest(server, options)).toMatchObject({ status, isSigned, error: { code } });
  });

  it("is refused if it changed on its way", async () => {
    const changed: ToMessage = (headers, body) => ({ headers, chunks: [body, Uint8Array.of(0x20)] });
    expect(await askForManifest(server, {}, changed)).toMatchObject({ status: 401, isSigned: false });
  });
}

function outlivesClients(server: Reachable, leavingUnseen: string | undefined): void {
  it("before its body is whole has nothing run for it", async () => {
    const call = workCall(["answer"]);
    const { errors } = await reportOf(server, call);
    const { headers, body } = await signedCallParts(suiteCall(call));
    await server.sendAndLeave({ headers: Object.entries(headers), chunks: [body.subarray(0, 50)] });
    expect(await reportOf(server, call)).toMatchObject({ runs: 0, errors });
    expect((await ask(server, call)).result).toBe(1);
  });

  const seen = "while its tool runs is known to the tool";
  it.skipIf(leavingUnseen !== undefined)(
    `${seen}${leavingUnseen === undefined ? "" : ` (${leavingUnseen})`}`,
    async () => {
      const call = workCall(["wait for abort"]);
      const { headers, body } = await signedCallParts(suiteCall(call));
      const started = vi.waitFor(async () => expect((await reportOf(server, call)).runs).toBe(1), 10_000);
      await server.sendAndLeaveWhen(wholeMessage(Object.entries(headers), body), started);
      await vi.waitFor(async () => expect((await reportOf(server, call)).abortedWith).toBe("AbortError"), 5_000);
    },
  );
}
