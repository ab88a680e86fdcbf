import { toolCallSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createCallbackTokens } from "../../secrets/src/callback-tokens.ts";
import { parseMasterKeys } from "../../secrets/src/keyring.ts";
import { masterKeyOf } from "../../secrets/test/support.ts";
import { createCallbackTickets } from "../src/callbacks/callback-tickets.ts";
import { createWorld, failureOf, NOW } from "./support/dispatch-world.ts";
import { type Reply, startReplier } from "./support/handler-server.ts";

const PENDING: Reply = { status: 202, body: { pending: true } };
const callback = { issuedAt: NOW, expiresAt: NOW + 86_400_000 };

function ticketsAt(base: string | undefined) {
  const tokens = createCallbackTokens({ keyring: parseMasterKeys(masterKeyOf("k1")), now: () => NOW });
  return { tokens, tickets: createCallbackTickets({ tokens, baseUrl: async () => base }) };
}

async function callAsync(reply: Reply, base: string | undefined = "https://gateway.example.com") {
  const handler = await startReplier(reply);
  const { tokens, tickets } = ticketsAt(base);
  const world = await createWorld({ callbacks: tickets });
  const attempt = (number = 1) => world.attempt(handler.url, { attempt: number, callback, tool: { async: true } });
  return { handler, tokens, world, attempt };
}

describe("a call of an asynchronous tool", () => {
  it("says where its result may be brought, the same in every attempt", async () => {
    const { handler, tokens, attempt } = await callAsync(PENDING);
    await attempt(1);
    await attempt(2);
    const [first, second] = handler.calls.map(({ body }) => toolCallSchema.parse(JSON.parse(String(body))));
    expect(first?.callback).toEqual({
      url: "https://gateway.example.com/v1/callbacks/tc_01",
      token: expect.stringMatching(/^yc_/),
      expiresAt: "2026-11-22T06:00:00.000Z",
    });
    expect(second?.callback).toEqual(first?.callback);
    const subject = { workspaceId: "ws_01", executionId: "exec_01", toolCallId: "tc_01", moves: 0 };
    expect(await tokens.read(first?.callback?.token ?? "")).toEqual(subject);
  });

  it("may be pending", async () => {
    const { attempt } = await callAsync(PENDING);
    expect(await attempt()).toMatchObject({ answer: { pending: true }, httpStatus: 202 });
  });

  it.each<[string, Reply]>([
    ["with another status", { status: 200, body: { pending: true } }],
    ["in other words", { status: 202, body: { pending: "yes" } }],
    ["with nothing", { status: 202, body: "" }],
    ["in a member of the prototype", { status: 202, body: '{"toString":1}' }],
  ])("is not pending %s", async (_name, reply) => {
    const { attempt } = await callAsync(reply);
    expect(failureOf(await attempt())).toMatchObject({ code: "INVALID_RESPONSE", outcome: "unknown" });
  });

  it("may be answered at once", async () => {
    const { attempt } = await callAsync({ status: 202, body: { result: 1 } });
    expect((await attempt()).answer).toEqual({ result: 1 });
  });

  it("keeps its token out of every record, also where the handler repeats it", async () => {
    const { handler, attempt } = await callAsync({ body: "" });
    await attempt();
    const { token } = JSON.parse(String(handler.calls[0]?.body)).callback;
    const escaped = `\\u0079${token.slice(1)}`;
    const echoing = await startReplier({ headers: { "x-echo": token }, body: `{"result":["${token}","${escaped}"]}` });
    const world = await createWorld({
      callbacks: { issue: async () => ({ url: "https://gateway.example.com/", token }) },
    });
    const report = await world.attempt(echoing.url, { callback });
    expect(report.answer).toEqual({ result: ["[redacted]", "[redacted]"] });
    expect(JSON.stringify(report)).not.toContain(token);
    expect(report.request.body).toContain('"callback":{"url":"https://gateway.example.com/","token":"[redacted]"');
  });

  it("is not sent by a gateway that does not know its own address", async () => {
    const handler = await startReplier(PENDING);
    for (const world of [await createWorld(), await createWorld({ callbacks: ticketsAt(undefined).tickets })]) {
      const report = await world.attempt(handler.url, { callback });
      expect(failureOf(report)).toMatchObject({ code: "NOT_CONFIGURED", outcome: "none", isRetryable: false });
    }
    expect(handler.calls).toEqual([]);
  });

  it("is what was approved, although nobody could see its callback then", async () => {
    const { handler, world } = await callAsync(PENDING);
    const { hash: approvedHash } = await world.render(handler.url, { tool: { async: true } });
    const report = await world.attempt(handler.url, { callback, approvedHash, tool: { async: true } });
    expect(report.answer).toEqual({ pending: true });
  });
});

it("a tool that is not asynchronous carries no callback, and may not be pending", async () => {
  const handler = await startReplier(PENDING);
  const world = await createWorld({ callbacks: ticketsAt("https://gateway.example.com").tickets });
  expect(failureOf(await world.attempt(handler.url))).toMatchObject({
    code: "INVALID_RESPONSE",
    message: expect.stringContaining("only asynchronous tools may respond with pending"),
  });
  expect(JSON.parse(String(handler.calls[0]?.body))).not.toHaveProperty("callback");
});
