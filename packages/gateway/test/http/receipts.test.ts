import { receiptSchema, verifyReceipt } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, makeAgent, saying, start } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const held = await startHandler({ isHeld: true });
const handler = await startHandler();
const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
const params = ({ id }: { readonly id: string }) => ({ params: { id } });

describe("the receipt of an execution", () => {
  it("tells a real execution, and verifies with the key set that is open to everybody", async () => {
    const key = await world.makeKey(["executions"]);
    const execution = await execute(world, agent.id, calling("work"), { key: key.text });
    const body = expectStatus(await world.call("getReceipt", params(execution)), 200);
    const receipt = receiptSchema.parse(body);
    expect(receipt).toMatchObject({ verified: true, isFinal: true, keyId: key.id, status: "completed" });
    expect(receipt.toolCalls).toMatchObject([
      { name: "work", outcome: "completed", via: "handler", attempts: 1, origins: [new URL(handler.url).origin] },
    ]);
    const keySet = await world.call("getKeySet", { params: { workspaceId: receipt.workspaceId }, key: null });
    expect(keySet.headers.get("cache-control")).toMatch(/max-age/);
    expect(await verifyReceipt(body, expectStatus(keySet, 200))).toMatchObject({ verified: true });
  });

  it("is not vouched for by another workspace's keys", async () => {
    const execution = await execute(world, agent.id, saying("done"));
    const receipt = expectStatus(await world.call("getReceipt", params(execution)), 200);
    const { workspaceId } = await world.makeWorkspace("other");
    const keySet = expectStatus(await world.call("getKeySet", { params: { workspaceId } }), 200);
    expect(await verifyReceipt(receipt, keySet)).toMatchObject({ verified: false, problem: { code: "UNKNOWN_KEY" } });
  });

  it("says of an execution that goes on what was so far, and of all of it once it has ended", async () => {
    const waiting = await makeAgent(world, { tools: [workTool(held.url, { timeout: 60_000 })] });
    const execution = await start(world, waiting.id, calling("work"));
    await held.called(1);
    const receipt = receiptSchema.parse(expectStatus(await world.call("getReceipt", params(execution)), 200));
    expect(receipt).toMatchObject({ verified: true, isFinal: false, signature: null, status: "running" });
    expect(receipt.account.at(-1)?.text).toMatch(
      /^Attempt 1 of work started, to http:\/\/127\.0\.0\.1:\d+ \(POST\)\.$/,
    );
    held.release();
    await (await world.open("followExecution", params(execution))).text();
    const final = receiptSchema.parse(expectStatus(await world.call("getReceipt", params(execution)), 200));
    expect(final).toMatchObject({ verified: true, isFinal: true, status: "completed" });
    expect(final.account.length).toBeGreaterThan(receipt.account.length);
  });

  it("tells of a cancellation, which another process's part of the gateway may have written", async () => {
    const second = await startHandler({ isHeld: true });
    const waiting = await makeAgent(world, { tools: [workTool(second.url, { timeout: 60_000 })] });
    const execution = await start(world, waiting.id, calling("work"));
    await second.called(1);
    expectStatus(await world.call("cancelExecution", params(execution)), 202);
    const events = await world.open("followExecution", params(execution));
    await events.text();
    const receipt = receiptSchema.parse(expectStatus(await world.call("getReceipt", params(execution)), 200));
    expect(receipt).toMatchObject({ verified: true, isFinal: true, status: "cancelled", stopReason: "cancelled" });
    expect(receipt.account.map(({ text }) => text)).toContain("A cancellation of the execution was requested.");
  });

  it.each<[string, string | undefined, Record<string, string>, "text/plain" | "application/json"]>([
    ["nothing", undefined, {}, "application/json"],
    ["anything", "*/*", {}, "application/json"],
    ["text", "text/plain", {}, "text/plain"],
    ["any text", "text/*", {}, "text/plain"],
    ["a page, as browsers do", "text/html,application/xhtml+xml,*/*;q=0.8", {}, "application/json"],
    ["text rather than JSON", "application/json;q=0.5, text/plain", {}, "text/plain"],
    ["JSON rather than text", "text/plain;q=0.1, application/json", {}, "application/json"],
    ["text by the query", "application/json", { format: "text" }, "text/plain"],
    ["JSON by the query", "text/plain", { format: "json" }, "application/json"],
  ])("comes in the form that is asked for: %s", async (_what, accept, query, type) => {
    const execution = await execute(world, agent.id, saying("done"));
    const headers = accept === undefined ? {} : { accept };
    const answer = await world.call("getReceipt", { ...params(execution), headers, query });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")?.split(";")[0]).toBe(type);
    if (type === "text/plain") expect(answer.body).toMatch(/^Receipt of the execution exec_/);
  });

  it("knows no other form", async () => {
    const execution = await execute(world, agent.id, saying("done"));
    const answer = await world.call("getReceipt", { ...params(execution), query: { format: "pdf" } });
    expect(answer).toMatchObject({ status: 422, body: { code: "INVALID_REQUEST", errors: [{ path: "format" }] } });
  });

  it("is not there for an unknown execution, and no key set for an unknown workspace", async () => {
    expect(await world.call("getReceipt", params({ id: "exec_none" }))).toMatchObject({ status: 404 });
    expect(await world.call("getKeySet", { params: { workspaceId: "ws_none" } })).toMatchObject({ status: 404 });
  });
});
