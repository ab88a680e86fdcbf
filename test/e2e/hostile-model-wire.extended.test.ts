import { describe, expect, it } from "vitest";
import { openHostileWorld } from "./support/hostile-world.ts";
import type { WireTurn } from "./support/model-server.ts";

const DONE: WireTurn = { text: "done" };
const CALL = { id: "a", name: "lookup_order", arguments: '{"orderId":"ORD-1"}' };

/** Ends after one failed turn, or is asked again and then answers. */
type Outcome = "fails" | "is asked again";

describe("a model server that breaks its own format", () => {
  it.each<[string, Outcome, Outcome, WireTurn]>([
    ["200 with a page", "fails", "fails", { raw: { type: "text/html", body: "<html>Sign in</html>" } }],
    ["200 with nothing", "is asked again", "fails", { raw: { body: "" } }],
    ["JSON of another kind", "fails", "fails", { raw: { body: '{"hello":"world"}' } }],
    ["null", "is asked again", "fails", { raw: { body: "null" } }],
    ["JSON that is cut off", "is asked again", "is asked again", { raw: { body: '{"choices":[{"mess' } }],
    ["NaN", "fails", "fails", { raw: { body: '{"choices":[],"usage":{"prompt_tokens":NaN}}' } }],
    ["no choices", "fails", "fails", { raw: { body: '{"id":"1","choices":[],"usage":{}}' } }],
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

  it.each([true, false])(
    "calls a tool without a name, streamed: %j: no tool runs, and it is told so",
    async (isStreamed) => {
      const world = await openHostileWorld([{ calls: [{ ...CALL, name: "" }] }, DONE]);
      expect(await world.ask({}, {}, { isStreamed })).toMatchObject({
        status: "completed",
        toolCalls: [{ name: "(unnamed)", status: "failed", error: { code: "UNKNOWN_TOOL" } }],
      });
      expect(world.service.calls).toEqual([]);
    },
  );

  it.each([1, 2, 3, 4])(
    "breaks off its stream after %i pieces: nothing of it counts, and it is asked again",
    async (pieces) => {
      const world = await openHostileWorld([{ text: "Let me look", calls: [CALL], cutAfterPieces: pieces }, DONE]);
      expect(await world.ask()).toMatchObject({ status: "completed", output: { text: "done" }, toolCalls: [] });
      expect(world.service.calls).toEqual([]);
    },
  );

  it.each([true, false])("ends in order without saying why, streamed: %j: its call runs", async (isStreamed) => {
    const world = await openHostileWorld([
      { calls: [CALL], finish: null },
      { text: "done", finish: null },
    ]);
    expect(await world.ask({}, {}, { isStreamed })).toMatchObject({
      status: "completed",
      stopReason: "final",
      output: { text: "done" },
      toolCalls: [{ status: "completed" }],
    });
    expect(world.model.requests).toHaveLength(2);
  });
});

describe("a model server whose answer can't be read", () => {
  const json = (body: string) => ({ raw: { body } });

  it.each<[string, WireTurn, RegExp]>([
    [
      "a page",
      { raw: { type: "text/html", body: "<html>planted</html>" } },
      /^HTTP 200.*: expected .*JSON, got a page of HTML/,
    ],
    ["JSON of another kind", json('{"hello":"planted"}'), /^HTTP 200 \(application\/json\): choices: .*expected array/],
    ["JSON that is broken", json('{"choices": planted}'), /expected JSON, got invalid or truncated JSON$/],
    ["JSON that is cut off", json('{"choices":[{"planted'), /expected JSON, got invalid or truncated JSON$/],
    ["no choices", json('{"choices":[],"planted":1}'), /did not contain any choices/],
  ])("%s: the error says why to who looks after the server, and nothing of what it holds", async (_name, turn, why) => {
    for (const isStreamed of [true, false]) {
      const world = await openHostileWorld([turn]);
      const { id, status, error } = await world.ask({ limits: { maxWallTimeMs: 1_000 } }, {}, { isStreamed });
      const response = await fetch(`${world.url}/v1/executions/${id}/events`, {
        headers: { authorization: `Bearer ${world.apiKey}` },
      });
      const events = await response.text();
      const failures = [...events.matchAll(/^data: (.*"type":"model\.failed".*)$/gm)].map(([, data = ""]) =>
        JSON.parse(data),
      );
      expect(failures[0]?.error).toMatchObject({ code: "MODEL_ERROR", developerMessage: expect.stringMatching(why) });
      if (status === "failed") expect(error?.developerMessage).toBe(failures[0]?.error.developerMessage);
      expect(events).not.toContain("planted");
    }
  });
});

describe("a model server that counts oddly", () => {
  it.each<[string, string, { inputTokens: number; outputTokens: number }]>([
    ["not at all", "null", { inputTokens: 0, outputTokens: 0 }],
    ["nothing", "{}", { inputTokens: 0, outputTokens: 0 }],
    ["less than nothing", '{"prompt_tokens":-5,"completion_tokens":-1}', { inputTokens: 0, outputTokens: 0 }],
    ["halves", '{"prompt_tokens":1.5,"completion_tokens":2.5}', { inputTokens: 1, outputTokens: 2 }],
    ["past all numbers", '{"prompt_tokens":1e999,"completion_tokens":2}', { inputTokens: 0, outputTokens: 2 }],
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
