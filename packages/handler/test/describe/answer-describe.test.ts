import { sign, signAnswer, signDescribe, verifyManifest, verifySignature } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import {
  type CreateHandlerOptions,
  type createHandler,
  createMemoryIdempotencyStore,
  defineTool,
  type IdempotencyStore,
} from "../../src/index.ts";
import {
  callTool,
  describeTools,
  type SignedDescribeOptions,
  signedCallParts,
  signedDescribeParts,
} from "../../src/testing.ts";
import { NOW_MS, OTHER_SECRET, SECRET, validCall } from "../support/calls.ts";
import { call, handlerOf, toolThat, typedTool } from "../support/tools.ts";

const audience = "https://orders.example.com/tools";
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** A store that knows how often it was used. */
function createCountingStore() {
  const store = createMemoryIdempotencyStore();
  const counting: IdempotencyStore & { claims: number } = {
    claims: 0,
    claim(request) {
      counting.claims += 1;
      return store.claim(request);
    },
    complete: (key, holder, outcome) => store.complete(key, holder, outcome),
    release: (key, holder, outcome) => store.release(key, holder, outcome),
    wait: (key, signal) => store.wait(key, signal),
  };
  return counting;
}

/** A handler whose runs and claims are counted, with a fixed clock. */
function countedHandler(options: Partial<CreateHandlerOptions> = {}) {
  const counts = { runs: 0 };
  const tool = toolThat(() => {
    counts.runs += 1;
    return null;
  });
  const idempotency = createCountingStore();
  return { ...handlerOf(tool, { audience, now: () => NOW_MS, idempotency, ...options }), counts, idempotency };
}

type Handler = ReturnType<typeof createHandler>;

async function send(handler: Handler, headers: Readonly<Record<string, string>>, body: Uint8Array<ArrayBuffer>) {
  const response = await handler(new Request(audience, { method: "POST", headers, body }));
  const received = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    signature: response.headers.get("x-ya-signature"),
    body: received,
    json: JSON.parse(new TextDecoder().decode(received)),
  };
}

/** Sends a describe request and checks the response's signature. */
async function ask(handler: Handler, options: Partial<SignedDescribeOptions> = {}) {
  const request = { secret: SECRET, url: audience, timestampMs: NOW_MS, ...options };
  const { requestId, headers, body } = await signedDescribeParts(request);
  const { status, signature, body: received, json } = await send(handler, headers, body);
  if (signature !== null) await verifyManifest(signature, { requestId, status, body: received }, [SECRET]);
  return { status, isSigned: signature !== null, ...json };
}

describe("a manifest", () => {
  const refund = {
    name: "orders.refund",
    description: "Refunds an order.",
    parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
    sideEffect: "non_idempotent_write",
    risk: "business_write",
    timeout: 30_000,
    async: true,
    usageNotes: "Ask the customer first.",
  } as const;
  const manifest = {
    protocolVersion: 1,
    kitVersion: expect.stringMatching(/^@yagate\/handler \d+\.\d+\.\d+$/),
    tools: [refund],
  };

  it("has what the tools were defined with, in their order, and the schemas of what they accept", async () => {
    const zod = defineTool({
      name: "lookup_order",
      description: "Looks up an order.",
      parameters: z.object({
        orderId: z.string().regex(/^ORD-/),
        limit: z.int().min(1).default(10),
        since: z.iso.date().transform((text) => new Date(text)),
      }),
      sideEffect: "read_only",
      execute: ({ since }) => since.getTime(),
    });
    const zodMini = defineTool({
      name: "count_orders",
      description: "Counts orders.",
      parameters: mini.object({ status: mini.optional(mini.string()) }),
      execute: () => 0,
    });
    const { handler } = handlerOf([zod, { ...refund, execute: () => null }, zodMini]);
    expect(await describeTools(handler, { secret: SECRET })).toEqual({
      ...manifest,
      schemaGenerator: expect.stringMatching(/^zod 4\.\d+\.\d+$/),
      tools: [
        {
          name: "lookup_order",
          description: "Looks up an order.",
          parameters: {
            type: "object",
            properties: {
              orderId: { type: "string", pattern: "^ORD-" },
              limit: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 10 },
              since: { type: "string", format: "date", pattern: expect.any(String) },
            },
            required: ["orderId", "since"],
          },
          sideEffect: "read_only",
        },
        refund,
        {
          name: "count_orders",
          description: "Counts orders.",
          parameters: { type: "object", properties: { status: { type: "string" } } },
        },
      ],
    });
  });

  it("names no generator if the schemas were written by hand", async () => {
    const { handler } = handlerOf({ ...refund, execute: () => null });
    expect(await describeTools(handler, { secret: SECRET })).toEqual(manifest);
  });

  it("names each version of zod that had a part in the schemas", async () => {
    const own = z.object({});
    Object.defineProperty(own._zod, "version", { value: { major: 4, minor: 4, patch: 1 } });
    const { handler } = handlerOf({ ...refund, parameters: own, execute: () => null });
    expect((await describeTools(handler, { secret: SECRET })).schemaGenerator).toMatch(/^zod 4\.\d+\.\d+, 4\.4\.1$/);
  });

  it("is signed with every secret, so that a rotation loses nothing", async () => {
    const { handler } = handlerOf(typedTool, { secrets: [OTHER_SECRET, SECRET] });
    for (const secret of [OTHER_SECRET, SECRET]) {
      expect((await describeTools(handler, { secret })).tools).toHaveLength(1);
    }
  });

  it("is signed with secrets that are looked up", async () => {
    const { handler } = handlerOf(typedTool, { secrets: async () => SECRET });
    expect((await describeTools(handler, { secret: SECRET })).tools).toHaveLength(1);
  });

  it("comes from a handler that verifies calls by Standard Webhooks", async () => {
    const { handler } = handlerOf(typedTool, { signatureScheme: "standard-webhooks" });
    expect((await describeTools(handler, { secret: SECRET })).tools).toHaveLength(1);
    expect((await callTool(handler, call())).status).toBe(200);
  });

  it("may be asked for again with the same request, and no tool runs", async () => {
    const { handler, counts, idempotency, logger } = countedHandler();
    const options = { requestId: "dsc_1" };
    const first = await ask(handler, options);
    expect(first).toMatchObject({ status: 200, isSigned: true, tools: [{ name: "lookup_order" }] });
    expect(await ask(handler, options)).toEqual(first);
    expect({ ...counts, claims: idempotency.claims, lines: logger.lines }).toEqual({ runs: 0, claims: 0, lines: [] });
  });

  it("is refused with the tool's name if JSON Schema cannot express its parameters", async () => {
    const { handler, logger } = handlerOf([
      typedTool,
      defineTool({ ...toolThat(() => null), name: "by_date", parameters: z.object({ at: z.date() }) }),
    ]);
    await expect(describeTools(handler, { secret: SECRET })).rejects.toThrow(
      /^the handler responded with MANIFEST_INVALID: tool by_date: expected parameters that JSON Schema can express: /,
    );
    await expect(describeTools(handler, { secret: SECRET })).rejects.toThrow("tool by_date");
    // Once, although a gateway repeats its request, and without a stack.
    const fields = { requestId: expect.stringMatching(/^dsc_/), reason: expect.stringMatching(/^tool by_date: /) };
    expect(logger.lines).toEqual([{ level: "error", message: "the handler cannot describe its tools", fields }]);
    expect((await callTool(handler, call())).status).toBe(200);
  });
});

describe("a describe request", () => {
  it.each<[string, Partial<SignedDescribeOptions>, number, string]>([
    ["that is too old", { timestampMs: NOW_MS - 300_001 }, 401, "TIMESTAMP_TOO_OLD"],
    ["from the future", { timestampMs: NOW_MS + 300_001 }, 401, "TIMESTAMP_IN_FUTURE"],
    ["for another handler", { audience: "https://other.example.com" }, 400, "PAYLOAD_INVALID"],
  ])("%s gets a signed error", async (_name, changed, status, code) => {
    const { handler, logger } = countedHandler();
    expect(await ask(handler, changed)).toMatchObject({ status, isSigned: true, error: { code } });
    expect(logger.lines).toMatchObject([
      { level: "warn", message: "describe request rejected", fields: { code, requestId: expect.any(String) } },
    ]);
  });

  it.each([300_000, -300_000])("signed %i ms ago is within the tolerance", async (ageMs) => {
    expect((await ask(countedHandler().handler, { timestampMs: NOW_MS - ageMs })).status).toBe(200);
  });

  it.each<[string, Partial<SignedDescribeOptions>, number, string]>([
    ["under another secret", { secret: OTHER_SECRET }, 401, "SIGNATURE_MISMATCH"],
    ["without an id", { fields: { requestId: undefined } }, 400, "PAYLOAD_INVALID"],
    [
      "with an id in which a dot could end the signed field",
      { fields: { requestId: "dsc_1.200" } },
      400,
      "PAYLOAD_INVALID",
    ],
    ["of another type", { fields: { type: "call" } }, 400, "PAYLOAD_INVALID"],
    ["without a timestamp", { fields: { timestamp: undefined } }, 400, "PAYLOAD_INVALID"],
    ["without an audience", { fields: { audience: undefined } }, 400, "PAYLOAD_INVALID"],
    ["past 8 KiB", { fields: { more: "x".repeat(8_192) } }, 401, "SIGNATURE_MISMATCH"],
  ])("%s gets an unsigned error", async (_name, changed, status, code) => {
    expect(await ask(countedHandler().handler, changed)).toMatchObject({ status, isSigned: false, error: { code } });
  });

  it("is rejected like a forged call by a handler that describes nothing", async () => {
    const { handler, counts, idempotency } = countedHandler({ describe: false });
    const refused = {
      status: 401,
      isSigned: false,
      error: { code: "SIGNATURE_MISMATCH", message: "SIGNATURE_MISMATCH" },
    };
    expect(await ask(handler)).toEqual(refused);
    await expect(describeTools(handler, { secret: SECRET })).rejects.toMatchObject({
      code: "INVALID_RESPONSE_SIGNATURE",
    });
    expect({ ...counts, claims: idempotency.claims }).toEqual({ runs: 0, claims: 0 });
  });

  it("whose signature needs secrets that can't be had is refused, and only the log says why", async () => {
    const { handler, logger } = handlerOf(typedTool, { secrets: () => Promise.reject(new Error("private")) });
    expect(await ask(handler)).toMatchObject({ status: 500, isSigned: false, error: { code: "INTERNAL" } });
    expect(logger.lines).toMatchObject([{ level: "error" }]);
  });
});

describe("neither is taken for the other:", () => {
  const describeBody = bytes({ type: "describe", requestId: "dsc_1", timestamp: new Date(NOW_MS), audience });
  const callBody = bytes(validCall({ audience }));
  const both = bytes(validCall({ audience, type: "describe", requestId: "dsc_1" }));

  it.each<[string, Uint8Array<ArrayBuffer>, () => Promise<string>, number, string]>([
    ["a describe request signed as a call", describeBody, () => sign(describeBody, [SECRET]), 400, "PAYLOAD_INVALID"],
    ["a call signed as a describe request", callBody, () => signDescribe(callBody, [SECRET]), 400, "PAYLOAD_INVALID"],
    [
      "a describe request signed as a response",
      describeBody,
      () => signAnswer({ toolCallId: "tc_1", status: 200, body: describeBody }, [SECRET]),
      401,
      "SIGNATURE_MISMATCH",
    ],
  ])("%s", async (_name, body, toHeader, status, code) => {
    const { handler, counts, idempotency } = countedHandler();
    const response = await send(handler, { "x-ya-signature": await toHeader() }, body);
    expect(response).toMatchObject({ status, signature: null, json: { error: { code } } });
    expect({ ...counts, claims: idempotency.claims }).toEqual({ runs: 0, claims: 0 });
  });

  it("a body with the fields of both is what it was signed as", async () => {
    const { handler, counts } = countedHandler();
    const asDescribe = await send(handler, { "x-ya-signature": await signDescribe(both, [SECRET]) }, both);
    expect(asDescribe.json).toMatchObject({ tools: [{ name: "lookup_order" }] });
    expect(counts.runs).toBe(0);
    const asCall = await send(handler, { "x-ya-signature": await sign(both, [SECRET]) }, both);
    expect(asCall.json).toEqual({ result: null });
    expect(counts.runs).toBe(1);
  });

  it("the headers of a call make no call of a describe request, and no other header is read", async () => {
    const { handler, counts } = countedHandler();
    const { headers } = await signedCallParts(call({ audience, timestampMs: NOW_MS }));
    const signed = { ...headers, "x-ya-signature": await signDescribe(describeBody, [SECRET]) };
    expect((await send(handler, signed, describeBody)).json).toMatchObject({ protocolVersion: 1 });
    expect(counts.runs).toBe(0);
  });

  it("the signature of a describe request verifies nothing where only calls are known", async () => {
    const header = await signDescribe(describeBody, [SECRET]);
    await expect(verifySignature(header, describeBody, [SECRET])).rejects.toMatchObject({ code: "SIGNATURE_MISMATCH" });
  });
});
