import type { HandlerToolDefinition } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { type CallChange, createWorld, failureOf } from "./support/dispatch-world.ts";
import { startReplier } from "./support/handler-server.ts";

const answer = { body: { result: "shipped" } };

describe("what a call comes to", () => {
  it("is sent when it is what was approved, in every attempt", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    const { hash: approvedHash } = await world.render(handler.url);
    expect(approvedHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    for (const attempt of [1, 2, 3]) {
      expect((await world.attempt(handler.url, { approvedHash, attempt })).answer).toEqual({ result: "shipped" });
    }
    expect(handler.calls).toHaveLength(3);
  });

  it.each<[string, CallChange, Partial<HandlerToolDefinition>]>([
    ["another argument", { parameters: { orderId: "ORD-1" } }, {}],
    ["a further argument", { parameters: { orderId: "ORD-12345", all: true } }, {}],
    ["another call with the same arguments", { toolCallId: "tc_02" }, {}],
    ["another execution", { executionId: "exec_02" }, {}],
    ["another caller", { caller: { userId: "u1" } }, {}],
    ["another URL", {}, { handler: "https://elsewhere.example/tools" }],
    ["another signing secret", {}, { signingSecret: "billing" }],
    ["another schema", {}, { parameters: { type: "object" } }],
    ["another name", {}, { name: "delete_order" }],
    ["another definition", {}, { timeout: 5 }],
  ])("is not sent when %s was approved", async (_what, change, tool) => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    const { hash: approvedHash } = await world.render(handler.url, { ...change, tool });
    const report = await world.attempt(handler.url, { approvedHash });
    expect(failureOf(report)).toMatchObject({
      code: "POLICY_DENIED",
      source: "gateway",
      outcome: "none",
      isRetryable: false,
    });
    expect(handler.calls).toEqual([]);
  });

  it("does not depend on the secret behind a name", async () => {
    const handler = await startReplier(answer);
    const [one, other] = [await createWorld(), await createWorld()];
    const { hash } = await one.render(handler.url);
    expect((await other.render(handler.url)).hash).toBe(hash);
    expect((await other.attempt(handler.url, { approvedHash: hash })).answer).toEqual({ result: "shipped" });
  });

  it("holds no signature, and sends nothing", async () => {
    const handler = await startReplier(answer);
    const { request } = await (await createWorld()).render(handler.url);
    expect(request?.headers["X-YA-Signature"]).toBe("[signed with the secret default]");
    expect(JSON.stringify(request)).not.toContain("sha256=");
    expect(handler.calls).toEqual([]);
  });
});
