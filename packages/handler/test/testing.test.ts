import { toolCallSchema } from "@yagate/protocol";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyCall } from "../src/index.ts";
import { callTool, signedCall, signedCallParts } from "../src/testing.ts";
import { NOW_MS, OTHER_SECRET, SECRET } from "./support/calls.ts";
import { outcomeOf } from "./support/outcome.ts";
import { call, handlerOf, toolThat, typedTool } from "./support/tools.ts";

describe("signedCall", () => {
  it("makes what the gateway sends: a call that the kit and other libraries accept", async () => {
    const url = "https://orders.example.com/tools?tenant=a";
    const parts = await signedCallParts(call({ url, caller: { userId: "u1" } }));
    expect(parts.url).toBe(url);
    const verified = await verifyCall(parts, { secrets: SECRET });
    expect(toolCallSchema.parse(verified)).toMatchObject({
      name: "lookup_order",
      attempt: 1,
      caller: { userId: "u1" },
    });
    expect(parts.headers["idempotency-key"]).toBe(verified.toolCallId);
    const webhook = new Webhook(SECRET);
    expect(webhook.verify(Buffer.from(parts.body).toString(), { ...parts.headers })).toEqual(verified);
  });

  it("says everything that a test wants to change", async () => {
    const said = {
      toolCallId: "tc_1",
      agentId: "agt_1",
      executionId: "exec_1",
      attempt: 2,
      audience: "https://h.test",
      schemaHash: "sha256:0",
    };
    const { body } = await signedCallParts(
      call({ ...said, timestampMs: NOW_MS, timeoutMs: 500, fields: { future: 1 } }),
    );
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({
      ...said,
      timestamp: "2027-01-15T08:00:00.000Z",
      deadline: "2027-01-15T08:00:00.500Z",
      future: 1,
    });
  });

  it("makes a new call each time, for the URL that was given", async () => {
    const [first, second] = [
      await signedCall(call()),
      await signedCall(call({ url: "https://orders.example.com/tools" })),
    ];
    expect(second.url).toBe("https://orders.example.com/tools");
    expect(first.headers.get("webhook-id")).not.toBe(second.headers.get("webhook-id"));
  });
});

describe("callTool", () => {
  it("tells a result from an error, and whether the answer was signed", async () => {
    const { handler } = handlerOf(typedTool);
    expect(await callTool(handler, call({ toolCallId: "tc_1" }))).toEqual({
      status: 200,
      toolCallId: "tc_1",
      isSigned: true,
      result: { orderId: "ORD-12345", limit: 10 },
    });
    expect(await callTool(handler, call({ secret: OTHER_SECRET }))).toMatchObject({ status: 401, isSigned: false });
  });

  it("tells an answer that comes later", async () => {
    const { handler } = handlerOf(toolThat((_parameters, { defer }) => defer()));
    const callback = { url: "https://gateway.example.com/v1/callbacks/tc_1", token: "token" };
    const answer = await callTool(handler, call({ toolCallId: "tc_1", callback }));
    expect(answer).toEqual({ status: 202, toolCallId: "tc_1", isSigned: true, pending: true });
  });

  it("refuses an answer whose signature is wrong", async () => {
    const { handler } = handlerOf(typedTool);
    const tampering = async (request: Request) => {
      const { headers, status } = await handler(request);
      return new Response('{"result":"forged"}', { status, headers });
    };
    expect(await outcomeOf(() => callTool(tampering, call()))).toBe("SIGNATURE_MISMATCH");
  });

  it.each([
    ["no JSON", "it works"],
    ["neither a result nor an error", '{"ok":true}'],
    ["a result under the status of one that is pending", '{"result":1}', 202],
  ])("refuses an answer that is %s", async (_name, body, status = 200) => {
    await expect(callTool(() => new Response(body, { status }), call())).rejects.toThrow();
  });
});
