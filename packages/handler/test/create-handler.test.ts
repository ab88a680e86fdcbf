import { generateSigningSecret, verifyAnswerSignature } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { type CreateHandlerOptions, createHandler, ToolError } from "../src/index.ts";
import { callTool, type SignedCallOptions, signedCall } from "../src/testing.ts";
import { NOW_MS, OTHER_SECRET, SECRET } from "./support/calls.ts";
import { outcomeOf } from "./support/outcome.ts";
import { call, handlerOf, toolThat, typedTool } from "./support/tools.ts";

const echo = toolThat((parameters) => parameters);

describe("a handler is not made", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["without a secret", { secrets: undefined }, "SECRET_INVALID"],
    ["with an empty list of secrets", { secrets: [] }, "SECRET_INVALID"],
    ["with an empty secret", { secrets: "" }, "SECRET_INVALID"],
    ["with a secret that lacks its prefix", { secrets: SECRET.slice(6) }, "SECRET_INVALID"],
    ["with a secret that ends in a newline", { secrets: [OTHER_SECRET, `${SECRET}\n`] }, "SECRET_INVALID"],
    ["with nine secrets", { secrets: Array.from({ length: 9 }, generateSigningSecret) }, "SECRET_INVALID"],
    ["without a tool", { tools: [] }, "INVALID_REQUEST"],
    ["with two tools of one name", { tools: [echo, typedTool] }, "INVALID_REQUEST"],
    ["with something else for a tool", { tools: [null] }, "INVALID_REQUEST"],
    ["with a tolerance of 0", { toleranceSeconds: 0 }, "INVALID_REQUEST"],
    ["with an endless tolerance", { toleranceSeconds: Number.POSITIVE_INFINITY }, "INVALID_REQUEST"],
    ["with a tolerance that is no number", { toleranceSeconds: Number.NaN }, "INVALID_REQUEST"],
    ["with room for bodies past 1 MiB", { maxBodyBytes: 1_048_577 }, "INVALID_REQUEST"],
    ["with room for no body", { maxBodyBytes: 0 }, "INVALID_REQUEST"],
    ["with an empty audience", { audience: "" }, "INVALID_REQUEST"],
    ["with an option that is misspelt", { audiance: "https://orders.example.com" }, "INVALID_REQUEST"],
  ])("%s", async (_name, changed, code) => {
    const options: CreateHandlerOptions = { secrets: SECRET, tools: [echo], ...changed };
    expect(await outcomeOf(() => createHandler(options))).toBe(code);
  });

  it.each<[string, CreateHandlerOptions["secrets"], string]>([
    ["the only one", "whsec_private", "the signing secret is malformed"],
    [
      "the only one, which is unset",
      undefined,
      "the signing secret is missing: check that the environment variable is set, such as YAGATE_SIGNING_SECRET",
    ],
    ["the second of two", [SECRET, `${OTHER_SECRET}\n`], "signing secret 2 of 2 is malformed"],
    ["the first of two, which is unset", [undefined, SECRET], "signing secret 1 of 2 is missing"],
    ["none", [], "expected 1 to 8 signing secrets"],
  ])("and says which secret it is: %s", (_which, secrets, message) => {
    expect(() => createHandler({ secrets, tools: [echo] })).toThrow(message);
  });

  it("and the error does not hold the secret", () => {
    expect(() => createHandler({ secrets: "whsec_private", tools: [echo] })).toThrow(/^(?!.*private)/);
  });
});

it.each<[string, Record<string, unknown>]>([
  ["with eight secrets", { secrets: Array.from({ length: 8 }, generateSigningSecret) }],
  ["with room for bodies of 1 byte", { maxBodyBytes: 1 }],
  ["with room for bodies of 1 MiB", { maxBodyBytes: 1_048_576 }],
])("a handler is made %s", async (_name, changed) => {
  const options: CreateHandlerOptions = { secrets: SECRET, tools: [echo], ...changed };
  expect(await outcomeOf(() => createHandler(options))).toBe("accept");
});

describe("an answer to a verified call", () => {
  it.each<[string, () => unknown, unknown]>([
    ["an object", () => ({ a: [1, null, "x"] }), { a: [1, null, "x"] }],
    ["a promise", async () => 42, 42],
    ["null", () => null, null],
    ["nothing", () => undefined, null],
    ["false", () => false, false],
    ["text with half a surrogate pair", () => "\ud800 ok", "\ud800 ok"],
    ["what turns itself into JSON", () => new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("holds %s that the tool returned", async (_name, execute, result) => {
    const { handler } = handlerOf(toolThat(execute));
    expect(await callTool(handler, call())).toMatchObject({ status: 200, isSigned: true, result });
  });

  it("has the default values and the types of a Zod schema", async () => {
    const { handler } = handlerOf(typedTool);
    expect((await callTool(handler, call())).result).toEqual({ orderId: "ORD-12345", limit: 10 });
  });

  it.each<[string, Partial<SignedCallOptions>, number, string]>([
    ["for a tool that is not there", { name: "lookup_orders" }, 404, "UNKNOWN_TOOL"],
    ["for the name of an inherited property", { name: "constructor" }, 404, "UNKNOWN_TOOL"],
    ["for wrong parameters", { parameters: { orderId: 1 } }, 422, "INVALID_ARGUMENTS"],
    ["for a call that is too old", { timestampMs: NOW_MS - 300_001 }, 401, "TIMESTAMP_TOO_OLD"],
    ["for a call from the future", { timestampMs: NOW_MS + 300_001 }, 401, "TIMESTAMP_IN_FUTURE"],
    ["for another handler's call", { audience: "https://other.example.com" }, 400, "PAYLOAD_INVALID"],
    ["for a call without an audience", { audience: undefined }, 400, "PAYLOAD_INVALID"],
    ["for a call whose time is over as it starts", { timeoutMs: 0 }, 504, "TIMEOUT"],
    ["for a deadline before the timestamp", { timeoutMs: -1_000 }, 504, "TIMEOUT"],
  ])("is signed %s", async (_name, changed, status, code) => {
    const audience = "https://orders.example.com";
    const { handler } = handlerOf(typedTool, { audience, now: () => NOW_MS });
    const answer = await callTool(handler, call({ audience, timestampMs: NOW_MS, ...changed }));
    expect(answer).toMatchObject({ status, isSigned: true, error: { code } });
  });

  it("names every wrong field, and no value", async () => {
    const { handler } = handlerOf(typedTool);
    const { error } = await callTool(
      handler,
      call({ parameters: { orderId: "private-1", limit: "private-2", extra: 1 } }),
    );
    expect(error?.message).toMatch(/orderId: .*; limit: .*; extra: unknown field/);
    expect(error?.details).toMatchObject({ errors: [{ path: "orderId" }, { path: "limit" }, { path: "extra" }] });
    expect(JSON.stringify(error)).not.toContain("private");
  });

  it("is signed with every secret, newest first, so that a rotation loses nothing", async () => {
    const { handler } = handlerOf(echo, { secrets: [OTHER_SECRET, SECRET] });
    const response = await handler(await signedCall(call({ toolCallId: "tc_1" })));
    const signature = response.headers.get("x-ya-signature");
    const answer = { toolCallId: "tc_1", status: 200, body: new Uint8Array(await response.arrayBuffer()) };
    expect(signature?.split(",")).toHaveLength(2);
    await verifyAnswerSignature(signature?.split(",")[0], answer, [OTHER_SECRET]);
    await verifyAnswerSignature(signature?.split(",")[1], answer, [SECRET]);
  });
});

describe("a refusal of what was not verified", () => {
  it.each<[string, () => Promise<Request>, number, string]>([
    ["a call under another secret", () => signedCall(call({ secret: OTHER_SECRET })), 401, "SIGNATURE_MISMATCH"],
    [
      "no signature",
      async () => new Request("https://h.test", { method: "POST", body: "{}" }),
      401,
      "SIGNATURE_MISSING",
    ],
    ["a compressed body", () => withHeader("content-encoding", "gzip"), 400, "PAYLOAD_INVALID"],
    ["a malformed signature", () => withHeader("x-ya-signature", "sha256=1"), 401, "SIGNATURE_MALFORMED"],
    ["an empty body", async () => new Request("https://h.test", { method: "POST" }), 401, "SIGNATURE_MISSING"],
    ["signed bytes that are no call", () => signedCall(call({ fields: { attempt: "1" } })), 400, "PAYLOAD_INVALID"],
    ["a body past the limit", () => signedCall(call({ parameters: { x: "x".repeat(1_000) } })), 413, "BODY_TOO_LARGE"],
    ["GET", async () => new Request("https://h.test"), 405, "METHOD_NOT_ALLOWED"],
    ["PUT", async () => new Request("https://h.test", { method: "PUT", body: "{}" }), 405, "METHOD_NOT_ALLOWED"],
  ])("answers %s without a signature, in JSON", async (_name, toRequest, status, code) => {
    const { handler } = handlerOf(echo, { maxBodyBytes: 1_000 });
    const response = await handler(await toRequest());
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-ya-signature")).toBeNull();
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it("says which method is allowed", async () => {
    const response = await handlerOf(echo).handler(new Request("https://h.test", { method: "HEAD" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("says nothing but the code of a signature", async () => {
    const response = await handlerOf(echo).handler(await signedCall(call({ secret: OTHER_SECRET })));
    expect(await response.json()).toEqual({ error: { code: "SIGNATURE_MISMATCH", message: "SIGNATURE_MISMATCH" } });
  });

  it("explains a request whose body was read before", async () => {
    const request = await signedCall(call());
    await request.text();
    const response = await handlerOf(echo).handler(request);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: "BODY_ALREADY_PARSED", retryable: false } });
  });

  it("takes a body of exactly the limit, whether its length is declared or not", async () => {
    const bytes = new Uint8Array(await (await signedCall(call())).arrayBuffer());
    const statusOf = async (maxBodyBytes: number, isDeclared: boolean) => {
      const request = await signedCall(call());
      const headers = new Headers(request.headers);
      if (isDeclared) headers.set("content-length", String(bytes.length));
      const sent = new Request(request.url, {
        method: "POST",
        headers,
        body: new Blob([await request.arrayBuffer()]).stream(),
        duplex: "half",
      } as RequestInit);
      return (await handlerOf(echo, { maxBodyBytes }).handler(sent)).status;
    };
    for (const isDeclared of [true, false]) {
      expect(await statusOf(bytes.length, isDeclared)).toBe(200);
      expect(await statusOf(bytes.length - 1, isDeclared)).toBe(413);
    }
  });

  it("does not wait for the rest of a body that is too large", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(600)) });
    const request = new Request("https://h.test", { method: "POST", body, duplex: "half" } as RequestInit);
    expect((await handlerOf(echo, { maxBodyBytes: 1_000 }).handler(request)).status).toBe(413);
  });
});

describe("a tool that fails", () => {
  it("on purpose is answered with status 200 and its error", async () => {
    const options = { hint: "ask for another", details: { known: 2 } };
    const { handler, logger } = handlerOf(
      toolThat(() => {
        throw new ToolError("ORDER_NOT_FOUND", "there is no such order", options);
      }),
    );
    const { status, isSigned, error } = await callTool(handler, call());
    expect({ status, isSigned, error }).toEqual({
      status: 200,
      isSigned: true,
      error: { code: "ORDER_NOT_FOUND", message: "there is no such order", ...options },
    });
    expect(logger.lines).toEqual([]);
  });

  it.each<[string, () => unknown, object?]>([
    ["by throwing", () => Promise.reject(new Error("password=hunter2"))],
    ["by throwing what is no error", () => Promise.reject("password=hunter2")],
    ["by returning a BigInt", () => ({ secret: "hunter2", count: 1n })],
    ["by returning a cycle", () => Object.assign([], { 0: cyclic })],
    ["by returning a function", () => () => "hunter2"],
    [
      "by details that are not JSON",
      () => Promise.reject(new ToolError("X", "x", { details: JSON.parse("{}") && cyclic })),
    ],
    ["by a code that no handler may use", () => new ToolError("not a code", "hunter2"), { retryable: false }],
  ])("%s is answered INTERNAL, without a word of it, and logged", async (_name, execute, more = {}) => {
    const { handler, logger } = handlerOf(toolThat(execute));
    const { status, isSigned, error } = await callTool(handler, call({ toolCallId: "tc_1" }));
    expect({ status, isSigned, error }).toEqual({
      status: 500,
      isSigned: true,
      error: { code: "INTERNAL", message: "the tool failed unexpectedly", ...more },
    });
    expect(logger.lines).toMatchObject([{ level: "error", fields: { toolCallId: "tc_1", tool: "lookup_order" } }]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: no JSON type can hold a cycle
const cyclic: any = {};
cyclic.self = cyclic;

describe("secrets that are looked up", () => {
  it("are asked for at each call", async () => {
    const live = [SECRET];
    const { handler } = handlerOf(echo, { secrets: async () => live });
    expect((await callTool(handler, call())).status).toBe(200);
    live[0] = OTHER_SECRET;
    expect((await callTool(handler, call())).error?.code).toBe("SIGNATURE_MISMATCH");
    expect((await callTool(handler, call({ secret: OTHER_SECRET }))).status).toBe(200);
  });

  it.each<[string, () => string | undefined]>([
    ["are not there", () => undefined],
    ["are wrong", () => "whsec_private"],
    [
      "can't be had",
      () => {
        throw new Error("private");
      },
    ],
  ])("that %s refuse the call, and only the log says why", async (_name, secrets) => {
    const { handler, logger } = handlerOf(echo, { secrets });
    const { status, isSigned, error } = await callTool(handler, call());
    expect({ status, isSigned, code: error?.code }).toEqual({ status: 500, isSigned: false, code: "INTERNAL" });
    expect(error?.message).not.toContain("private");
    expect(logger.lines).toMatchObject([{ level: "error" }]);
  });
});

it("answers even when its logger fails", async () => {
  const fail = () => {
    throw new Error("disk full");
  };
  const { handler } = handlerOf(
    toolThat((_parameters, { logger }) => logger.info("working")),
    { logger: { debug: fail, info: fail, warn: fail, error: fail } },
  );
  expect((await callTool(handler, call())).result).toBeNull();
  expect((await callTool(handler, call({ secret: OTHER_SECRET }))).status).toBe(401);
});

async function withHeader(name: string, value: string): Promise<Request> {
  const request = await signedCall(call());
  request.headers.set(name, value);
  return request;
}
