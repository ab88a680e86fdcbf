import { attemptDetailSchema, pageSchema, toolCallRecordSchema } from "@yagate/protocol";
import { afterAll, expect, it, vi } from "vitest";
import { calling, execute, expectStatus, makeAgent } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

it("an answer that comes after the end of its execution is in the record, and no event follows the last one", async () => {
  const handler = await startHandler({ isHeld: true, body: { result: "too late" } });
  // Also how long the gateway still listens after that.
  const agent = await makeAgent(world, { tools: [workTool(handler.url, { timeout: 2_000 })] });
  const { id } = await execute(world, agent.id, calling("work"));
  const toolCalls = async () => {
    const answer = await world.call("listToolCalls", { params: { id } });
    return pageSchema(toolCallRecordSchema).parse(expectStatus(answer, 200)).data;
  };
  const events = async () => new EventReader(await world.open("followExecution", { params: { id } })).all();
  const [call] = await toolCalls();
  const [attempt] = call?.attempts ?? [];
  if (call === undefined || attempt === undefined) throw new Error("expected an attempt");
  expect(attempt).toMatchObject({ errorCode: "TIMEOUT", outcome: "unknown" });
  expect(attempt.lateAnswer).toBeUndefined();
  const before = await events();

  handler.release();
  const lateAnswer = await vi.waitFor(
    async () => {
      const answer = await world.call("getAttempt", { params: { id: attempt.id } });
      const detail = attemptDetailSchema.parse(expectStatus(answer, 200));
      expect(detail).toMatchObject({
        errorCode: "TIMEOUT",
        response: null,
        lateAnswer: { at: expect.any(String), httpStatus: 200, elapsedMs: expect.any(Number), responseBytes: 21 },
      });
      return detail.lateAnswer;
    },
    { timeout: 10_000, interval: 10 },
  );
  expect(lateAnswer?.elapsedMs).toBeGreaterThanOrEqual(2_000);
  expect(await toolCalls()).toEqual([{ ...call, attempts: [{ ...attempt, lateAnswer }] }]);
  expect((await world.call("getToolCall", { params: { id: call.id } })).body).toMatchObject({
    status: "failed",
    attempts: [{ lateAnswer }],
  });
  expect(await events()).toEqual(before);
});
