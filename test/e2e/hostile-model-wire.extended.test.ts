import { describe, expect, it } from "vitest";
import { openHostileWorld } from "./support/hostile-world.ts";
import type { WireTurn } from "./support/model-server.ts";

const DONE: WireTurn = { text: "done" };
const CALL = { id: "a", name: "lookup_order", arguments: '{"orderId":"ORD-1"}' };

/** Ends after one failed turn, or is asked again and then answers. */
type Outcome = "fails" | "is asked again";

describe("a model server that breaks its own format", () => {
  it.each<[string, Outcome, Outcome, WireTurn]>([
    ["200 with a page", "is asked again", "fails", { raw: { type: "text/html", body: "<html>Sign in</html>" } }],
    ["200 with nothing", "is asked again", "fails", { raw: { body: "" } }],
    ["JSON of another kind", "is asked again", "fails", { raw: { body: '{"hello":"world"}' } }],
    ["null", "is asked again", "fails", { raw: { body: "null" } }],
    ["JSON that is cut off", "is asked again", "fails", { raw: { body: '{"choices":[{"mess' } }],
    ["NaN", "is asked again", "fails", { raw: { body: '{"choices":[],"usage":{"prompt_tokens":NaN}}' } }],
    ["no choices", "is asked again", "fails", { raw: { body: '{"id":"1","choices":[],"usage":{}}' } }],
    ["a count past all numbers", "fails", "fails", { text: "done", usage: '{"prompt_tokens":1e999}' }],
    ["503", "is asked again", "is asked again", { raw: { status: 503, type: "text/html", body: "<html></html>" } }],
    ["400", "fails", "fails", { raw: { status: 400, body: '{"error":{"message":"context too long"}}' } }],
    ["a redirect", "fails", "fails", { raw: { status: 302, body: "" } }],
  ])("with %s %s where it streams, %s where it does not, and nothing runs", async (_name, streamed, whole, turn) => {
    for (const [isStreamed, outcome] of [
      [true, streamed],
      [false, whole],
    ] as const) {
      const world = await openHostileWorld([turn, DONE]);
      const execution = await world.ask({}, {}, { isStreamed });
      expect({ isStreamed, status: execution.status, code: execution.error?.code }).toEqual({
        isStreamed,
        status: outcome === "fails" ? "failed" : "completed",
        code: outcome === "fails" ? "MODEL_ERROR" : undefined,
      });
      expect(execution.toolCalls).toEqual([]);
      expect(world.model.requests).toHaveLength(outcome === "fails" ? 1 : 2);
    }
  });

  it("calls a tool without a name: no tool runs, and it is told so, or its turn has failed", async () => {
    const turn = { calls: [{ ...CALL, name: "" }] };
    const streamed = await openHostileWorld([turn, DONE]);
    expect(await streamed.ask()).toMatchObject({ status: "failed", error: { code: "MODEL_ERROR" }, toolCalls: [] });
    const whole = await openHostileWorld([turn, DONE]);
    expect(await whole.ask({}, {}, { isStreamed: false })).toMatchObject({
      status: "completed",
      toolCalls: [{ name: "", status: "failed", error: { code: "UNKNOWN_TOOL" } }],
    });
    expect([...streamed.service.calls, ...whole.service.calls]).toEqual([]);
  });

  it.each([1, 2, 3, 4])(
    "breaks off its stream after %i pieces: nothing of it counts, and it is asked again",
    async (pieces) => {
      const world = await openHostileWorld([{ text: "Let me look", calls: [CALL], cutAfterPieces: pieces }, DONE]);
      expect(await world.ask()).toMatchObject({ status: "completed", output: { text: "done" }, toolCalls: [] });
      expect(world.service.calls).toEqual([]);
    },
  );

  it("ends its stream in order, and without saying why: nothing of it counts", async () => {
    const world = await openHostileWorld([{ calls: [CALL], finish: null }, DONE]);
    expect(await world.ask()).toMatchObject({ status: "completed", toolCalls: [] });
    expect(world.service.calls).toEqual([]);
  });
});

describe("a model server that counts oddly", () => {
  it.each<[string, string, { inputTokens: number; outputTokens: number }]>([
    ["not at all", "null", { inputTokens: 0, outputTokens: 0 }],
    ["nothing", "{}", { inputTokens: 0, outputTokens: 0 }],
    ["less than nothing", '{"prompt_tokens":-5,"completion_tokens":-1}', { inputTokens: 0, outputTokens: 0 }],
    ["halves", '{"prompt_tokens":1.5,"completion_tokens":2.5}', { inputTokens: 1, outputTokens: 2 }],
    ["more than there is", '{"prompt_tokens":1e308,"completion_tokens":1e15}', { inputTokens: 0, outputTokens: 0 }],
    ["one of two", '{"prompt_tokens":3}', { inputTokens: 3, outputTokens: 0 }],
  ])("%s: the execution has an answer, and a usage that is one", async (_name, usage, expected) => {
    for (const isStreamed of [true, false]) {
      const world = await openHostileWorld([{ text: "done", usage }]);
      const execution = await world.ask({}, {}, { isStreamed });
      expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
      expect(execution.usage).toMatchObject({ ...expected, toolCalls: 0 });
    }
  });
});
