import { createHmac } from "node:crypto";
import { attemptSpanId } from "@yagate/lib/http/trace-context";
import { generateSigningSecret, schemaHash, toolCallSchema, verifySignature } from "@yagate/protocol";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { createWorld, NOW, TOOL } from "./support/dispatch-world.ts";
import { type ReceivedCall, startReplier } from "./support/handler-server.ts";

const answer = { body: { result: "shipped" } };

function headerOf(call: ReceivedCall | undefined, name: string): string {
  const value = call?.headers[name];
  if (typeof value !== "string") throw new Error(`expected one header ${name}`);
  return value;
}

function bodyOf(call: ReceivedCall | undefined): Record<string, unknown> {
  return JSON.parse(String(call?.body));
}

describe("a signed call", () => {
  it("is a POST whose body holds the call, the budget and whom it is for", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    const report = await world.attempt(handler.url, { caller: { userId: "u1" }, attempt: 3, deadline: NOW + 2_500 });

    expect(report.answer).toEqual({ result: "shipped" });
    const [call] = handler.calls;
    expect([call?.method, call?.path]).toEqual(["POST", "/tools/lookup_order"]);
    expect(bodyOf(call)).toEqual({
      toolCallId: "tc_01",
      agentId: "agt_01",
      executionId: "exec_01",
      name: "lookup_order",
      parameters: { orderId: "ORD-12345" },
      attempt: 3,
      timestamp: "2026-11-21T06:00:00.000Z",
      deadline: "2026-11-21T06:00:02.500Z",
      schemaHash: await schemaHash(TOOL.parameters),
      audience: handler.url,
      caller: { userId: "u1" },
    });
    expect(toolCallSchema.safeParse(bodyOf(call)).success).toBe(true);
  });

  it("carries the headers of the wire contract and asks for a plain answer", async () => {
    const handler = await startReplier(answer);
    await (await createWorld()).attempt(handler.url);
    const [call] = handler.calls;
    expect(call?.headers).toMatchObject({
      "content-type": "application/json",
      "accept-encoding": "identity",
      "idempotency-key": "tc_01",
      "webhook-id": "tc_01",
      "webhook-timestamp": String(NOW / 1_000),
    });
    expect(call?.headerNames).toContain("X-YA-Signature");
    expect(headerOf(call, "x-ya-signature")).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headerOf(call, "webhook-signature")).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(headerOf(call, "traceparent")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(call?.headers).not.toHaveProperty("authorization");
  });

  const trace = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-00`, tracestate: "vendor=1" };

  it("goes on in the trace of whoever started the execution, with their decision on sampling", async () => {
    const handler = await startReplier(answer);
    await (await createWorld()).attempt(handler.url, { trace });
    expect(handler.calls[0]?.headers).toMatchObject(trace);
  });

  it("names the attempt's own span where the gateway records spans, another one for each attempt", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld({ isTraceRecorded: () => true });
    await world.attempt(handler.url, { trace });
    await world.attempt(handler.url, { trace, attempt: 2 });
    const parents = handler.calls.map((call) => headerOf(call, "traceparent").split("-"));
    for (const [version, traceId, , flags] of parents)
      expect([version, traceId, flags]).toEqual(["00", "a".repeat(32), "00"]);
    const spanIds = parents.map(([, , spanId = ""]) => spanId);
    expect(new Set([...spanIds, "b".repeat(16)]).size).toBe(3);
    expect(spanIds).toEqual([attemptSpanId("tc_01", 1), attemptSpanId("tc_01", 2)]);
    expect(handler.calls[0]?.headers["tracestate"]).toBe("vendor=1");
  });

  it("leaves caller out of the body when the execution has none", async () => {
    const handler = await startReplier(answer);
    await (await createWorld()).attempt(handler.url);
    expect(bodyOf(handler.calls[0])).not.toHaveProperty("caller");
  });

  it("signs the exact bytes: a plain HMAC over them with the secret's text is the header", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    await world.attempt(handler.url, { parameters: { orderId: "Zürich ☃ 😀", nested: { list: [1, null, true] } } });
    const [call] = handler.calls;
    const expected = createHmac("sha256", world.secret)
      .update(call?.body ?? "")
      .digest("hex");
    expect(headerOf(call, "x-ya-signature")).toBe(`sha256=${expected}`);
    expect(bodyOf(call)["parameters"]).toEqual({ orderId: "Zürich ☃ 😀", nested: { list: [1, null, true] } });
  });

  it.each([
    ["standardwebhooks", StandardWebhook],
    ["svix", SvixWebhook],
  ])("is accepted by %s, and refused with a changed byte, another secret or as an old one", async (_name, Library) => {
    const handler = await startReplier(answer);
    // The libraries read the machine's clock.
    const world = await createWorld({ now: Date.now });
    await world.attempt(handler.url);
    const [call] = handler.calls;
    const text = String(call?.body);
    const headers = {
      "webhook-id": headerOf(call, "webhook-id"),
      "webhook-timestamp": headerOf(call, "webhook-timestamp"),
      "webhook-signature": headerOf(call, "webhook-signature"),
    };
    const library = new Library(world.secret);
    expect(() => library.verify(text, headers)).not.toThrow();
    expect(() => library.verify(text.replace("ORD-12345", "ORD-12346"), headers)).toThrow();
    expect(() => new Library(generateSigningSecret()).verify(text, headers)).toThrow();
    const old = String(Number(headers["webhook-timestamp"]) - 3_600);
    expect(() => library.verify(text, { ...headers, "webhook-timestamp": old })).toThrow();
  });

  it("is refused by the protocol's verification when any one byte is another", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    await world.attempt(handler.url);
    const [call] = handler.calls;
    const header = headerOf(call, "x-ya-signature");
    const body = new Uint8Array(call?.body ?? []);
    await expect(verifySignature(header, body, [world.secret])).resolves.toBeUndefined();
    for (let index = 0; index < body.length; index += 1) {
      const changed = body.with(index, (body[index] ?? 0) ^ 1);
      await expect(verifySignature(header, changed, [world.secret])).rejects.toMatchObject({
        code: "SIGNATURE_MISMATCH",
      });
    }
  });

  it("has one entry for each live secret, newest first, in both headers", async () => {
    const secrets = [generateSigningSecret(), generateSigningSecret()];
    const handler = await startReplier(answer);
    const world = await createWorld({ secrets: { default: secrets } });
    await world.attempt(handler.url);
    const [call] = handler.calls;
    const expected = secrets.map(
      (secret) =>
        `sha256=${createHmac("sha256", secret)
          .update(call?.body ?? "")
          .digest("hex")}`,
    );
    expect(headerOf(call, "x-ya-signature")).toBe(expected.join(","));
    expect(headerOf(call, "webhook-signature").split(" ")).toHaveLength(2);
  });

  it("is signed with the secret that its tool names", async () => {
    const billing = generateSigningSecret();
    const handler = await startReplier(answer);
    const world = await createWorld({ secrets: { billing: [billing] } });
    await world.attempt(handler.url, { tool: { signingSecret: "billing" } });
    const [call] = handler.calls;
    const body = new Uint8Array(call?.body ?? []);
    const header = headerOf(call, "x-ya-signature");
    await expect(verifySignature(header, body, [billing])).resolves.toBeUndefined();
    await expect(verifySignature(header, body, [world.secret])).rejects.toMatchObject({ code: "SIGNATURE_MISMATCH" });
  });

  it("keeps its id in a further attempt, and has a fresh timestamp, deadline and signature", async () => {
    const handler = await startReplier(answer);
    let now = NOW;
    const world = await createWorld({ now: () => now });
    await world.attempt(handler.url, { attempt: 1 });
    now += 61_500;
    await world.attempt(handler.url, { attempt: 2 });
    const [first, second] = handler.calls;
    expect([bodyOf(first)["toolCallId"], bodyOf(second)["toolCallId"]]).toEqual(["tc_01", "tc_01"]);
    expect(headerOf(second, "idempotency-key")).toBe("tc_01");
    expect(bodyOf(second)).toMatchObject({
      attempt: 2,
      timestamp: "2026-11-21T06:01:01.500Z",
      deadline: "2026-11-21T06:01:11.500Z",
    });
    expect(headerOf(second, "webhook-timestamp")).toBe(String(Math.floor(now / 1_000)));
    expect(headerOf(second, "x-ya-signature")).not.toBe(headerOf(first, "x-ya-signature"));
  });

  it("puts the attempts of an execution into one trace, each with its own span", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    await world.attempt(handler.url, { attempt: 1 });
    await world.attempt(handler.url, { attempt: 2 });
    await world.attempt(handler.url, { executionId: "exec_02" });
    const [first, second, other] = handler.calls.map((call) => headerOf(call, "traceparent").split("-"));
    expect(second?.[1]).toBe(first?.[1]);
    expect(second?.[2]).not.toBe(first?.[2]);
    expect(other?.[1]).not.toBe(first?.[1]);
  });
});
