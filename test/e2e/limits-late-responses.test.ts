import type { Response } from "express";
import { describe, expect, it } from "vitest";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

describe("an answer that comes after the tool's time", () => {
  it("is recorded with its attempt, and changes nothing of what the model was told", async () => {
    const world = await openWorld();
    const slow = Promise.withResolvers<Response>();
    const other = Promise.withResolvers<Response>();
    const { url } = await startRawService((response, { body }) => {
      (JSON.parse(body.toString()).name === "slow" ? slow : other).resolve(response);
    });
    const agent = await world.createAgent([
      // Also how long the gateway still listens for the answer after that.
      toolAt(url, { name: "slow", timeout: 1_000 }),
      toolAt(url, { name: "other", timeout: 60_000 }),
    ]);
    const script = { turns: [calls("slow", "other"), { text: "done" }] };
    const stream = world.client.agents.stream(agent.id, { input: "go", script });
    const late: unknown[] = [];
    for await (const event of stream) {
      if (event.type === "tool_call.failed") (await slow.promise).json({ result: "shipped after all" });
      if (event.type !== "tool_call.late") continue;
      late.push(event);
      (await other.promise).json({ result: "on time" });
    }
    const execution = await stream.result();
    expect(execution).toMatchObject({ stopReason: "final", output: { text: "done" } });
    expect(late).toMatchObject([{ httpStatus: 200, elapsedMs: expect.any(Number), responseBytes: expect.any(Number) }]);

    const [call] = execution.toolCalls;
    expect(call).toMatchObject({ name: "slow", status: "failed", error: { code: "TIMEOUT", outcome: "unknown" } });
    expect(call?.result).toBeUndefined();
    expect(call?.attempts).toMatchObject([
      { errorCode: "TIMEOUT", lateAnswer: { at: expect.any(String), httpStatus: 200 } },
    ]);
    expect(call?.attempts[0]?.lateAnswer?.elapsedMs).toBeGreaterThan(900);
  });
});
