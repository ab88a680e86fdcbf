import { verifyCallbackSignature } from "@yagate/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CompleteOptions, completeToolCall, type LateOutcome } from "../../src/callback.ts";
import { ToolError } from "../../src/index.ts";
import { OTHER_SECRET, SECRET } from "../support/calls.ts";
import { createGate } from "../support/gate.ts";
import { type NextAnswer, startCallbackServer } from "./callback-server.ts";

const options: CompleteOptions = { secrets: SECRET };
const done: LateOutcome = { result: { done: true } };
const problem = (status: number, code: string) => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: JSON.stringify({ type: "about:blank", title: "t", status, detail: "said so", code, requestId: "r" }),
});
const again = { "retry-after": "0" };

describe("the request", () => {
  it.each<[string, LateOutcome, unknown]>([
    [
      "a result",
      { result: { status: "shipped", note: "Zürich ☃" } },
      { result: { status: "shipped", note: "Zürich ☃" } },
    ],
    ["nothing as a result", { result: undefined }, { result: null }],
    [
      "a ToolError",
      { error: new ToolError("NO_STOCK", "sold out", { hint: "offer another", cause: new Error("private") }) },
      { error: { code: "NO_STOCK", message: "sold out", hint: "offer another" } },
    ],
    [
      "an error as a job stored it",
      { error: { code: "NO_STOCK", message: "sold out", details: [1] } },
      { error: { code: "NO_STOCK", message: "sold out", details: [1] } },
    ],
  ])("brings %s, with the token in a header and every secret's signature", async (_name, outcome, json) => {
    const { callback, received } = await startCallbackServer();
    await completeToolCall(callback, outcome, { secrets: [OTHER_SECRET, SECRET] });
    expect(received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = received;
    expect(JSON.parse(body.toString())).toEqual(json);
    expect(headers).toMatchObject({ authorization: `Bearer ${callback.token}`, "content-type": "application/json" });
    const signature = String(headers["x-ya-signature"]);
    for (const secret of [SECRET, OTHER_SECRET]) {
      await verifyCallbackSignature(signature, { toolCallId: "tc_1", body }, [secret]);
    }
  });

  it("looks the secrets up when they are a function", async () => {
    const { callback, received } = await startCallbackServer();
    await completeToolCall(callback, done, { secrets: async () => SECRET });
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = received;
    await verifyCallbackSignature(String(headers["x-ya-signature"]), { toolCallId: "tc_1", body }, [SECRET]);
    expect(received).toHaveLength(1);
  });
});

it("takes answers of a fetch whose class is not the global Response, as under Hono's Node server", async () => {
  const { callback, received } = await startCallbackServer();
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("Response", class extends Response {});
  await completeToolCall(callback, done, { ...options, timeoutMs: 1_000 });
  expect(received).toHaveLength(1);
});

it.each<[string, NextAnswer, string]>([
  ["taken", { status: 200, body: "{}" }, "taken"],
  ["redirected", { status: 302, headers: { location: "/" }, body: "{}" }, "REDIRECT_REFUSED"],
  ["asked for again", { status: 503, headers: again, body: "{}" }, "taken"],
])("comes to its end although a wrapper of fetch keeps a copy of each answer: %s", async (_what, answer, end) => {
  const { callback } = await startCallbackServer(answer, { status: 200, body: "{}" });
  const kept: Response[] = [];
  const keepingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    kept.push(response.clone());
    return response;
  };
  const ended = completeToolCall(callback, done, { ...options, fetch: keepingFetch }).then(
    () => "taken",
    (error: unknown) => error,
  );
  expect(await ended).toEqual(end === "taken" ? end : expect.objectContaining({ code: end }));
  expect(kept).not.toEqual([]);
});

describe("is refused before anything is sent:", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  it.each<[string, unknown]>([
    ["no outcome", undefined],
    ["neither a result nor an error", {}],
    ["both", { result: 1, error: { code: "A", message: "b" } }],
    ["a function", { result: () => 1 }],
    ["a number too large for JSON", { result: 1n }],
    ["a circle", { result: circle }],
    ["an error without a message", { error: { code: "A" } }],
    ["an error with a code that is none", { error: { code: "not a code", message: "b" } }],
    ["an exception", { error: new Error("private") }],
    ["no error", { error: undefined }],
  ])("%s", async (_name, outcome) => {
    const { callback, received } = await startCallbackServer();
    const completed = Reflect.apply(completeToolCall, undefined, [callback, outcome, options]);
    await expect(completed).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(received).toEqual([]);
  });

  it.each<[string, (callback: object) => readonly unknown[], string]>([
    ["options that are null", (callback) => [callback, done, null], "options: expected { secrets }"],
    ["options that are a secret", (callback) => [callback, done, SECRET], "options: expected { secrets }"],
    ["no callback", () => [undefined, done, options], "callback: expected the return value of defer()"],
  ])("%s", async (_name, given, message) => {
    const { callback, received } = await startCallbackServer();
    await expect(Reflect.apply(completeToolCall, undefined, given(callback))).rejects.toMatchObject({
      name: "YagateError",
      code: "INVALID_REQUEST",
      message,
    });
    expect(received).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ["no secret", {}, { secrets: undefined }, "SECRET_INVALID"],
    ["a malformed secret", {}, { secrets: "whsec_" }, "SECRET_INVALID"],
    ["a misspelt option", {}, { timeoutMS: 5 }, "INVALID_REQUEST"],
    ["no time", {}, { timeoutMs: 0 }, "INVALID_REQUEST"],
    ["more than an hour", {}, { timeoutMs: 3_600_001 }, "INVALID_REQUEST"],
    ["a URL that is none", { url: "gateway" }, {}, "INVALID_REQUEST"],
    ["a URL of another scheme", { url: "file:///v1/callbacks/tc_1" }, {}, "INVALID_REQUEST"],
    ["a token that no header can hold", { token: "a\nb" }, {}, "INVALID_REQUEST"],
    ["no token", { token: undefined }, {}, "INVALID_REQUEST"],
    ["an id with a dot", { toolCallId: "tc_1.2" }, {}, "INVALID_REQUEST"],
    ["no id", { toolCallId: undefined }, {}, "INVALID_REQUEST"],
  ])("%s", async (_name, changedCallback, changedOptions, code) => {
    const { callback, received } = await startCallbackServer();
    const given = [{ ...callback, ...changedCallback }, done, { ...options, ...changedOptions }];
    await expect(Reflect.apply(completeToolCall, undefined, given)).rejects.toMatchObject({ code });
    expect(received).toEqual([]);
  });
});

it("may take an hour", async () => {
  const { callback, received } = await startCallbackServer();
  await completeToolCall(callback, done, { ...options, timeoutMs: 3_600_000 });
  expect(received).toHaveLength(1);
});

describe("the same bytes are sent again after", () => {
  it.each<[string, NextAnswer]>([
    ["a connection that was cut", "cut"],
    ["500", { status: 500, headers: again }],
    ["502 of a proxy", { status: 502, headers: again, body: "<html>" }],
    ["503", { status: 503, headers: again }],
    ["429", { status: 429, headers: again }],
    ["408", { status: 408, headers: again }],
    ["425", { status: 425, headers: again }],
  ])("%s", async (_name, first) => {
    const { callback, received } = await startCallbackServer(first);
    await completeToolCall(callback, done, options);
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["x-ya-signature"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers.authorization)).size).toBe(1);
  });
});

describe("is not sent again after", () => {
  it.each<[string, NextAnswer, string]>([
    ["a token of another call", problem(401, "UNAUTHENTICATED"), "UNAUTHENTICATED"],
    ["a signature that is wrong", problem(401, "SIGNATURE_MISMATCH"), "SIGNATURE_MISMATCH"],
    ["another outcome that was first", problem(409, "CONFLICT"), "CONFLICT"],
    ["its end", problem(410, "GONE"), "GONE"],
    ["a size that is too large", problem(413, "BODY_TOO_LARGE"), "BODY_TOO_LARGE"],
    ["a body that the gateway can't read", problem(422, "INVALID_REQUEST"), "INVALID_REQUEST"],
    ["410 of somebody else", { status: 410, body: "gone" }, "GONE"],
    ["401 of a proxy", { status: 401 }, "UNAUTHENTICATED"],
    ["404 of a proxy", { status: 404 }, "NOT_FOUND"],
    ["409 of a proxy", { status: 409 }, "CONFLICT"],
    ["410 of a proxy", { status: 410 }, "GONE"],
    ["413 of a proxy", { status: 413 }, "BODY_TOO_LARGE"],
    ["418 of a proxy", { status: 418 }, "INVALID_REQUEST"],
    ["a code that nobody knows", problem(418, "TEAPOT"), "INVALID_REQUEST"],
    ["a redirect", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, "REDIRECT_REFUSED"],
  ])("%s", async (_name, answer, code) => {
    const { callback, received } = await startCallbackServer(answer);
    const error: unknown = await completeToolCall(callback, done, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "YagateError", code });
    expect(String(error)).not.toContain(callback.token);
    expect(received).toHaveLength(1);
  });

  it("what the gateway said, and is told with it", async () => {
    const { callback } = await startCallbackServer(problem(410, "GONE"));
    const hint = "the call no longer waits for this result: it has expired, was cancelled or has ended";
    await expect(completeToolCall(callback, done, options)).rejects.toMatchObject({ message: "said so", hint });
  });
});

describe("the time", () => {
  it("ends the tries, with the last failure", async () => {
    const { callback } = await startCallbackServer({ status: 503, headers: { "retry-after": "3600" } });
    const failed = completeToolCall(callback, done, { ...options, timeoutMs: 30_000 });
    await expect(failed).rejects.toMatchObject({ code: "UNAVAILABLE", message: "the callback failed with status 503" });
  });

  it("ends a try that is not answered", async () => {
    const { callback, received } = await startCallbackServer("silence");
    const failed = completeToolCall(callback, done, { ...options, timeoutMs: 100 });
    await expect(failed).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(received).toHaveLength(1);
  });

  it("is not waited for when the caller aborts", async () => {
    const { callback } = await startCallbackServer("silence");
    const controller = new AbortController();
    const sent = createGate();
    const watched: typeof fetch = (input, init) => {
      sent.open();
      return fetch(input, init);
    };
    const failed = completeToolCall(callback, done, { ...options, signal: controller.signal, fetch: watched });
    await sent.opened;
    controller.abort(new Error("shutting down"));
    await expect(failed).rejects.toThrow("shutting down");
  });

  it("does not begin when the caller has aborted before", async () => {
    const { callback, received } = await startCallbackServer();
    const failed = completeToolCall(callback, done, { ...options, signal: AbortSignal.abort(new Error("no more")) });
    await expect(failed).rejects.toThrow("no more");
    expect(received).toEqual([]);
  });
});

it.each([
  "shttp://gateway.example.com/",
  "ftp://gateway.example.com/",
  "nothttps://gateway.example.com/",
  "/callbacks",
])("a callback at %s is refused and nothing is sent", async (url) => {
  const fetch = vi.fn<typeof globalThis.fetch>();
  const callback = { url, token: "yc_token", toolCallId: "tc_1" };
  const brought = completeToolCall(callback, done, { ...options, fetch });
  await expect(brought).rejects.toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("url") });
  expect(fetch).not.toHaveBeenCalled();
});

it("no timer is left when a result was taken or refused", async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const callback = { url: "https://gateway.example.com/", token: "yc_token", toolCallId: "tc_1" };
  for (const status of [204, 409]) {
    const fetch = async () => new Response(null, { status });
    await completeToolCall(callback, done, { ...options, fetch }).catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
  }
});
