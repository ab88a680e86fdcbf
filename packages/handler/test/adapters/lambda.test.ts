import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type LambdaEvent, type LambdaHandler, toLambda, toolHandler } from "../../src/lambda.ts";
import { signedCallParts, signedDescribeParts } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { outcomeOf } from "../support/outcome.ts";
import { call, handlerOf, toolThat, typedTool } from "../support/tools.ts";

async function invoke(function_: LambdaHandler, toEvent: (parts: EventParts) => LambdaEvent) {
  const { headers, body } = await signedCallParts(call());
  const result = await function_(toEvent({ headers, text: new TextDecoder().decode(body), bytes: Buffer.from(body) }));
  return { ...result, body: JSON.parse(result.body) };
}

interface EventParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly bytes: Buffer;
}

const http = { requestContext: { http: { method: "POST" } } };
const lists = (headers: EventParts["headers"]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

describe("the answer", () => {
  it.each<[string, (parts: EventParts) => LambdaEvent]>([
    ["format 2.0", ({ headers, text }) => ({ ...http, headers, body: text })],
    ["an event without multi-value headers", ({ headers, text }) => ({ httpMethod: "POST", headers, body: text })],
    [
      "an event whose multi-value headers are empty",
      ({ headers, text }) => ({ httpMethod: "POST", headers, multiValueHeaders: {}, body: text }),
    ],
  ])("to %s has single headers", async (_name, toEvent) => {
    const { handler } = handlerOf(typedTool);
    expect(await invoke(toLambda(handler), toEvent)).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/json", "x-ya-signature": expect.stringMatching(/^sha256=/) },
      body: { result: { orderId: "ORD-12345", limit: 10 } },
      isBase64Encoded: false,
    });
  });

  it("to an event with multi-value headers has those and no others", async () => {
    const { handler } = handlerOf(typedTool);
    const toEvent = ({ headers, text }: EventParts) => ({
      httpMethod: "POST",
      headers,
      multiValueHeaders: lists(headers),
      body: text,
    });
    expect(await invoke(toLambda(handler), toEvent)).toEqual({
      statusCode: 200,
      multiValueHeaders: {
        "content-type": ["application/json"],
        "x-ya-signature": [expect.stringMatching(/^sha256=/)],
      },
      body: { result: { orderId: "ORD-12345", limit: 10 } },
      isBase64Encoded: false,
    });
  });
});

describe("the event", () => {
  it.each<[string, (parts: EventParts) => LambdaEvent, number, string | undefined]>([
    [
      "with a body in base64",
      ({ headers, bytes }) => ({ ...http, headers, body: bytes.toString("base64"), isBase64Encoded: true }),
      200,
      undefined,
    ],
    [
      "with header names as the client wrote them",
      ({ headers, text }) => ({
        httpMethod: "POST",
        headers: { "X-YA-Signature": headers["x-ya-signature"], "Content-Type": "application/json" },
        body: text,
      }),
      200,
      undefined,
    ],
    [
      "with the right signature in the second of two headers",
      ({ headers, text }) => ({
        httpMethod: "POST",
        headers: { "X-YA-Signature": "sha256=" },
        multiValueHeaders: { "X-YA-Signature": [`sha256=${"0".repeat(64)}`, headers["x-ya-signature"] ?? ""] },
        body: text,
      }),
      200,
      undefined,
    ],
    [
      "with a body that a mapping template parsed",
      ({ headers, text }) => ({ ...http, headers, body: JSON.parse(text) }),
      400,
      "PAYLOAD_INVALID",
    ],
    [
      "without headers and body, as the console's test sends it",
      () => ({ httpMethod: "POST", headers: null, multiValueHeaders: null, body: null, isBase64Encoded: false }),
      401,
      "SIGNATURE_MISSING",
    ],
    ["of a health check", () => ({ httpMethod: "GET", headers: {}, body: "" }), 405, "METHOD_NOT_ALLOWED"],
    [
      "with a body past the limit in base64",
      ({ headers }) => ({ ...http, headers, body: Buffer.alloc(2_001).toString("base64"), isBase64Encoded: true }),
      413,
      "BODY_TOO_LARGE",
    ],
    [
      "with a body of exactly the limit in base64",
      ({ headers }) => ({ ...http, headers, body: Buffer.alloc(2_000).toString("base64"), isBase64Encoded: true }),
      401,
      "SIGNATURE_MISMATCH",
    ],
  ])("%s is answered %i", async (_name, toEvent, status, code) => {
    const { handler } = handlerOf(typedTool, { maxBodyBytes: 2_000 });
    const { statusCode, body } = await invoke(toLambda(handler), toEvent);
    expect({ statusCode, code: body.error?.code }).toEqual({ statusCode: status, code });
  });

  it.each<[string, LambdaEvent]>([
    ["of a queue", JSON.parse('{ "Records": [{ "eventSource": "aws:sqs" }] }')],
    ["that is empty", {}],
    ["of a WebSocket API", { requestContext: { requestId: "1" } }],
  ])("%s makes the invocation fail", async (_name, event) => {
    const { handler } = handlerOf(toolThat(() => "ran"));
    await expect(toLambda(handler)(event)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      hint: expect.stringMatching(/^invoke this function through API Gateway/),
    });
  });
});

it("one tool is a function of its own", async () => {
  const double = toolHandler({
    secrets: SECRET,
    name: "lookup_order",
    description: "Looks up an order.",
    parameters: z.object({ orderId: z.string() }),
    execute: ({ orderId }) => orderId,
  });
  const { body } = await invoke(double, ({ headers, text }) => ({ ...http, headers, body: text }));
  expect(body).toEqual({ result: "ORD-12345" });
  const parts = await signedDescribeParts({ secret: SECRET });
  const described = await double({ ...http, headers: parts.headers, body: new TextDecoder().decode(parts.body) });
  expect(JSON.parse(described.body)).toMatchObject({ tools: [{ name: "lookup_order" }] });
});

it("a tool is not made without a secret", async () => {
  expect(await outcomeOf(() => toolHandler({ secrets: "", ...typedTool }))).toBe("SECRET_INVALID");
});
