import type { Failure } from "@yagate/execution-machine/call-outcome";
import { describe, expect, it } from "vitest";
import { createWorld, failureOf } from "./support/dispatch-world.ts";
import { type Reply, startReplier } from "./support/handler-server.ts";

const soldOut = { code: "SOLD_OUT", message: "no seat is left" };

async function answerTo(reply: Reply) {
  const handler = await startReplier(reply);
  const world = await createWorld();
  const report = await world.attempt(handler.url);
  expect(handler.calls).toHaveLength(1);
  expect(world.errors).toEqual([]);
  return report;
}

describe("a result", () => {
  it.each<[string, Reply, unknown]>([
    ["an object", { body: { result: { orderId: "ORD-1", lines: [1, 2] } } }, { orderId: "ORD-1", lines: [1, 2] }],
    ["null", { body: { result: null } }, null],
    ["false", { body: { result: false } }, false],
    ["an empty text", { body: { result: "" } }, ""],
    ["beside fields that a newer handler adds", { body: { result: 1, took: 5 } }, 1],
    ["beside an error that is null", { body: { result: 1, error: null } }, 1],
    ["with status 201", { status: 201, body: { result: 1 } }, 1],
    ["with status 202", { status: 202, body: { result: 1 } }, 1],
    ["without a content type", { headers: { "content-type": "" }, body: { result: 1 } }, 1],
    ["after a byte order mark", { body: '\uFEFF{"result":1}' }, 1],
    ["in text beyond ASCII", { body: { result: "Zürich ☃ 😀" } }, "Zürich ☃ 😀"],
    [
      "with a harmless constructor",
      { body: { result: { constructor: "Müller GmbH" } } },
      { constructor: "Müller GmbH" },
    ],
  ])("is taken: %s", async (_name, reply, result) => {
    const report = await answerTo(reply);
    expect(report.answer).toEqual({ result });
    expect(report.httpStatus).toBe(reply.status ?? 200);
  });
});

describe("an error that the handler answers", () => {
  it.each<[string, Reply, Partial<Failure>]>([
    ["is not retried with 200", { body: { error: soldOut } }, { ...soldOut, isRetryable: false }],
    [
      "is retried with 200 when it says so",
      { body: { error: { ...soldOut, retryable: true } } },
      { isRetryable: true },
    ],
    [
      "is not retried with 200 when it says no",
      { body: { error: { ...soldOut, retryable: false } } },
      { isRetryable: false },
    ],
    ["is retried with 500", { status: 500, body: { error: soldOut } }, { ...soldOut, isRetryable: true }],
    [
      "is not retried with 500 when it says no",
      { status: 500, body: { error: { ...soldOut, retryable: false } } },
      { isRetryable: false },
    ],
    ["is retried with 429", { status: 429, body: { error: soldOut } }, { ...soldOut, isRetryable: true }],
    ["is not retried with 404", { status: 404, body: { error: soldOut } }, { ...soldOut, isRetryable: false }],
    [
      "is not retried with 404, whatever it says",
      { status: 404, body: { error: { ...soldOut, retryable: true } } },
      { isRetryable: false },
    ],
    ["is ordinary with 410", { status: 410, body: { error: soldOut } }, { ...soldOut, isRetryable: false }],
  ])("%s", async (_name, reply, expected) => {
    const failure = failureOf(await answerTo(reply));
    expect(failure).toMatchObject({ ...expected, source: "handler", outcome: "none" });
  });

  it("keeps its source when its code looks like one of the gateway's", async () => {
    const failure = failureOf(await answerTo({ body: { error: { code: "APPROVAL_DENIED", message: "no" } } }));
    expect(failure).toMatchObject({ code: "APPROVAL_DENIED", source: "handler" });
  });

  it.each<[string, number, string]>([
    ["BODY_ALREADY_PARSED", 500, "mount the handler before app.use(express.json())"],
    ["PAYLOAD_INVALID", 400, "audience: expected the URL of this handler"],
    ["SIGNATURE_MISMATCH", 401, "SIGNATURE_MISMATCH"],
    ["TIMESTAMP_TOO_OLD", 401, "TIMESTAMP_TOO_OLD"],
  ])("tells people alone how to set the handler up: %s", async (code, status, message) => {
    const error = { code, message, hint: "for developers", details: { for: "developers" }, retryable: false };
    const { developerMessage, ...read } = failureOf(await answerTo({ status, body: { error } }));
    expect(read).toEqual({
      code,
      message: "the tool's service rejected the call because of its configuration",
      hint: "continue without this tool: only its operator can change that",
      source: "handler",
      isRetryable: false,
      outcome: "none",
    });
    expect(developerMessage).toBe(`HTTP ${status}: ${message === code ? "" : `${message}; `}for developers`);
  });

  it("tells people the hint of a code that comes alone", async () => {
    const error = { code: "SIGNATURE_MISMATCH", message: "SIGNATURE_MISMATCH", retryable: false };
    const { developerMessage } = failureOf(await answerTo({ status: 401, body: { error } }));
    expect(developerMessage).toMatch(/^HTTP 401: check that both sides use the same signing secret/);
  });

  it.each([
    [
      "a tool's own error with such a code",
      { status: 200, body: { error: { code: "PAYLOAD_INVALID", message: "m" } } },
    ],
    ["another status", { status: 422, body: { error: { code: "PAYLOAD_INVALID", message: "m" } } }],
    ["another code", { status: 400, body: { error: { code: "INVALID_ARGUMENTS", message: "m" } } }],
  ])("keeps its message: %s", async (_name, reply) => {
    expect(failureOf(await answerTo(reply))).toMatchObject({ message: "m", source: "handler" });
  });

  it("brings its hint and details", async () => {
    const error = { ...soldOut, hint: "try another day", details: { next: ["2026-12-01"] } };
    expect(failureOf(await answerTo({ body: { error } }))).toMatchObject({ ...error });
  });

  it("is cut where it is longer than a model should read", async () => {
    const error = { ...soldOut, message: "😀".repeat(1_500), hint: "h".repeat(5_000), details: "d".repeat(20_000) };
    const { message, hint, details } = failureOf(await answerTo({ body: { error } }));
    expect(message.length).toBeLessThanOrEqual(2_000);
    expect(message.endsWith("😀…")).toBe(true);
    expect(message.isWellFormed()).toBe(true);
    expect(hint).toHaveLength(1_000);
    expect(details).toBe("[left out: 20002 bytes, at most 16384 are kept]");
  });

  it("may have a code of 64 characters of the grammar", async () => {
    const code = "Az09_.-".padEnd(64, "x");
    expect(failureOf(await answerTo({ body: { error: { ...soldOut, code } } })).code).toBe(code);
  });
});

describe("an answer that can't be used", () => {
  it.each<[string, Reply, string]>([
    ["no body", {}, "the body is empty"],
    ["204", { status: 204 }, "the body is empty"],
    ["a page", { headers: { "content-type": "text/html" }, body: "<h1>ok</h1>" }, "the body is not JSON"],
    ["half of an object", { body: '{"result":' }, "the body is not JSON"],
    ["two objects", { body: '{"result":1}{"result":2}' }, "the body is not JSON"],
    ["NaN", { body: '{"result":NaN}' }, "the body is not JSON"],
    ["a number beyond a double", { body: '{"result":[1e999]}' }, "a number is out of range"],
    ["a text", { body: '"ok"' }, "the body is not an object"],
    ["a list", { body: '[{"result":1}]' }, "the body is not an object"],
    ["null", { body: "null" }, "the body is not an object"],
    ["an empty object", { body: {} }, "the body has neither a result nor an error"],
    ["a bare value", { body: { orderId: 1 } }, "the body has neither a result nor an error"],
    ["an error that is null", { body: { error: null } }, "the body has neither a result nor an error"],
    ["both", { body: { result: 1, error: soldOut } }, "the body has both a result and an error"],
    ["an error that is a text", { body: { error: "sold out" } }, "error does not have the expected form"],
    ["an error without a code", { body: { error: { message: "no" } } }, "error.code does not have the expected form"],
    [
      "an error without a message",
      { body: { error: { code: "NO" } } },
      "error.message does not have the expected form",
    ],
    [
      "a code with a space",
      { body: { error: { ...soldOut, code: "SOLD OUT" } } },
      "error.code does not have the expected form",
    ],
    [
      "a code of 65 characters",
      { body: { error: { ...soldOut, code: "x".repeat(65) } } },
      "error.code does not have the expected form",
    ],
    [
      "a code with a line break",
      { body: { error: { ...soldOut, code: "SOLD_OUT\n" } } },
      "error.code does not have the expected form",
    ],
    ["an empty code", { body: { error: { ...soldOut, code: "" } } }, "error.code does not have the expected form"],
    [
      "retryable as a text",
      { body: { error: { ...soldOut, retryable: "yes" } } },
      "error.retryable does not have the expected form",
    ],
    [
      "pending of a tool that is not asynchronous",
      { status: 202, body: { pending: true } },
      "only asynchronous tools may respond with pending",
    ],
    ["pending with 200", { body: { pending: true } }, "the body has neither a result nor an error"],
    ["bytes that are not UTF-8", { body: Buffer.from('{"result":"\xe4"}', "latin1") }, "the body is not UTF-8"],
    [
      "an own __proto__",
      { body: '{"result":{"__proto__":{"isAdmin":true}}}' },
      "the body contains a __proto__ or constructor member",
    ],
    [
      "an escaped __proto__",
      { body: '{"result":{"\\u005f_proto__":{"isAdmin":true}}}' },
      "the body contains a __proto__ or constructor member",
    ],
    [
      "a constructor with a prototype",
      { body: '{"result":{"constructor":{"prototype":{"x":1}}}}' },
      "the body contains a __proto__ or constructor member",
    ],
    [
      "300 nested lists",
      { body: `{"result":${"[".repeat(300)}${"]".repeat(300)}}` },
      "the body is nested more than 256 levels deep",
    ],
    [
      "100 000 nested lists",
      { body: `{"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
      "the body is nested more than 256 levels deep",
    ],
  ])("is refused with an unknown outcome: %s", async (_name, reply, problem) => {
    const failure = failureOf(await answerTo(reply));
    expect(failure).toMatchObject({
      code: "INVALID_RESPONSE",
      message: `the tool's response can't be used: ${problem}`,
      source: "gateway",
      isRetryable: false,
      outcome: "unknown",
    });
  });

  it("leaves objects of the process as they are", async () => {
    await answerTo({ body: '{"result":{"__proto__":{"isAdmin":true}}}' });
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });
});

describe("a failing status without an error body", () => {
  it.each<[number, Reply, boolean]>([
    [400, { status: 400 }, false],
    [401, { status: 401, body: "no" }, false],
    [404, { status: 404, body: { error: "Not Found" } }, false],
    [408, { status: 408 }, true],
    [410, { status: 410, body: { error: "Gone" } }, false],
    [422, { status: 422, body: { result: 1 } }, false],
    [425, { status: 425 }, true],
    [429, { status: 429, body: "slow down" }, true],
    [500, { status: 500, body: "<h1>Internal Server Error</h1>" }, true],
    [500, { status: 500, body: { error: { code: "not of the grammar", message: "x" } } }, true],
    [500, { status: 500, body: { error: "Internal Server Error" } }, true],
    [502, { status: 502, body: '{"__proto__":1}' }, true],
    [503, { status: 503, body: { result: "not believed" } }, true],
    [599, { status: 599 }, true],
  ])("is HANDLER_ERROR with its number: %i, %o", async (status, reply, isRetryable) => {
    const failure = failureOf(await answerTo(reply));
    expect(failure).toMatchObject({
      code: "HANDLER_ERROR",
      message: `the tool's service responded with HTTP ${status}`,
      source: "gateway",
      outcome: "none",
      isRetryable,
    });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    "is REDIRECT_REFUSED with %i, and nothing is followed",
    async (status) => {
      const target = await startReplier({ body: { result: "reached" } });
      const report = await answerTo({ status, headers: { location: target.url } });
      expect(failureOf(report)).toMatchObject({ code: "REDIRECT_REFUSED", isRetryable: false, outcome: "none" });
      expect(report.response?.headers["location"]).toBe(target.url);
      expect(target.calls).toEqual([]);
    },
  );

  it("is INVALID_RESPONSE with a status that HTTP does not have", async () => {
    expect(failureOf(await answerTo({ status: 700, body: { result: 1 } }))).toMatchObject({
      code: "INVALID_RESPONSE",
      outcome: "unknown",
    });
  });
});

describe("Retry-After", () => {
  it.each<[string, number, string, number | undefined]>([
    ["seconds", 503, "7", 7_000],
    ["no wait", 503, "0", 0],
    ["seconds with 408", 408, "1", 1_000],
    ["seconds with 425", 425, "1", 1_000],
    ["seconds with 429", 429, "120", 120_000],
    ["a date", 503, "Sat, 21 Nov 2026 06:00:30 GMT", 30_000],
    ["a date that is over", 503, "Sat, 21 Nov 2026 05:59:00 GMT", 0],
    ["a date in the form of RFC 850", 503, "Saturday, 21-Nov-26 06:01:00 GMT", 60_000],
    ["a date in the form of asctime", 503, "Sat Nov 21 06:02:00 2026", 120_000],
    ["more seconds than a number holds", 503, "9".repeat(400), Number.MAX_SAFE_INTEGER],
    ["a negative number", 503, "-1", undefined],
    ["a fraction", 503, "1.5", 1_500],
    ["a date of another form", 503, "2026-11-21T06:00:30Z", undefined],
    ["a day that no month has", 503, "Sat, 41 Nov 2026 06:00:30 GMT", undefined],
    ["words", 503, "soon", undefined],
    ["seconds with 404", 404, "7", undefined],
    ["seconds with 200", 200, "7", undefined],
  ])("is read: %s", async (_name, status, value, expected) => {
    const body = { error: { ...soldOut, retryable: true } };
    const failure = failureOf(await answerTo({ status, headers: { "retry-after": value }, body }));
    expect(failure.retryAfterMs).toBe(expected);
  });

  it("counts without an error body too", async () => {
    const failure = failureOf(await answerTo({ status: 503, headers: { "retry-after": "3" } }));
    expect(failure).toMatchObject({ code: "HANDLER_ERROR", retryAfterMs: 3_000 });
  });
});
