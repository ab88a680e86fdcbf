import { executionSchema, rotatedSigningSecretSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeToolCall } from "../../../handler/src/callback/complete-tool-call.ts";
import { expectStatus, makeAgent, start } from "./support/agents.ts";
import { startHandler } from "./support/handler.ts";
import { asking, eventsOf, eventsOfExecution, INTENT, makeShop, of } from "./support/shop.ts";
import { startWorld, type World } from "./support/world.ts";

/** Accepts no connection. */
const UNREACHABLE = "http://127.0.0.1:9/tools";

describe("a call that has moved to another capability", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  }, 60_000);
  afterAll(() => world?.stop());

  /** The callback that a handler was told in its first request. */
  function callbackOf({ requests: [first] }: Awaited<ReturnType<typeof startHandler>>) {
    const { url, token } = Object(first?.body["callback"]);
    return { url: String(url), token: String(token), toolCallId: String(first?.body["toolCallId"]) };
  }

  it("takes no callback of the capability that it has left", async () => {
    const left = await startHandler({ status: 503, body: undefined });
    const serves = await startHandler({ status: 202, body: { pending: true } });
    const tool = { async: true };
    const { key } = await makeShop(world, [
      { url: left.url, priority: 90, tool },
      { url: serves.url, priority: 10, tool },
    ]);
    const rotated = await world.call("rotateSigningSecret", { body: {}, key });
    const { secret: secrets } = rotatedSigningSecretSchema.parse(expectStatus(rotated, 201));
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }] }, { key });
    const { id } = await start(world, agent.id, asking(), { key });
    await serves.called(1);
    const [old, current] = [callbackOf(left), callbackOf(serves)];
    expect(old.toolCallId).toBe(current.toolCallId);
    await expect(completeToolCall(old, { result: "of A" }, { secrets })).rejects.toMatchObject({ code: "GONE" });
    await completeToolCall(current, { result: "of B" }, { secrets });
    await completeToolCall(current, { result: "of B" }, { secrets });
    const events = await eventsOfExecution(world, { id, key });
    expect(of(events, "callback.received").map(({ result }) => result)).toEqual(["of B"]);
    expect(of(events, "tool_call.completed")).toMatchObject([{ result: "of B", via: "callback" }]);
    await expect(completeToolCall(old, { result: "of A" }, { secrets })).rejects.toMatchObject({ code: "GONE" });
  });

  it("is replayed with the projection of the capability that served it", async () => {
    const result = { ok: "shown", card: "4111 1111 1111 1111" };
    const serves = await startHandler({ body: { result } });
    const { key } = await makeShop(world, [
      { url: UNREACHABLE, priority: 90 },
      { url: serves.url, priority: 10, tool: { projection: { redact: ["$.card"] } } },
    ]);
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }] }, { key });
    const events = await eventsOf(world, { agentId: agent.id, body: asking(), key });
    const [original] = of(events, "tool_call.completed");
    const params = { id: events[0]?.executionId ?? "" };
    const answer = await world.call("replayExecution", { params, body: { toolMode: "recorded", fromTurn: 2 }, key });
    const { id } = executionSchema.parse(expectStatus(answer, 201));
    const replayed = await eventsOfExecution(world, { id, key });
    expect(of(replayed, "tool_call.requested")).toMatchObject([{ projection: { redact: ["$.card"] } }]);
    expect(original?.readCharacters).toBeLessThan(JSON.stringify(result).length);
    expect(of(replayed, "tool_call.completed").map(({ readCharacters }) => readCharacters)).toEqual([
      original?.readCharacters,
    ]);
  });
});
