import { describe, expect, it } from "vitest";
import { ModelTurnError, type ModelTurnRequest, type TurnSpending } from "../src/port.ts";
import { turnRequest } from "./support/turn-request.ts";
import type { WireAnswer } from "./support/wire-server.ts";
import { ollama } from "./support/wires/chat-completions.ts";
import { connect, listener } from "./support/wires/connect.ts";

const USAGE = { prompt_tokens: 11, completion_tokens: 7 };
const COUNTED = { inputTokens: 11, outputTokens: 7 };
const NOT_COUNTED = { inputTokens: 0, outputTokens: 0 };
const CALL = { id: "a", type: "function", function: { name: "orders_lookup", arguments: "{}" } };

async function spendingOf(body: WireAnswer["body"], request: Partial<ModelTurnRequest>) {
  const { models } = await connect(ollama, [{ body }]);
  const failure = await models
    .runTurn(turnRequest({ model: ollama.model, ...request }))
    .catch((error: unknown) => error);
  return failure instanceof ModelTurnError ? failure.spending : "no failure";
}

/** The same answer at once and piece by piece; `last` comes after the counts. */
function formsOf(message: object, finish: string | null) {
  const whole = { choices: [{ message, finish_reason: finish }], usage: USAGE };
  const pieces = [{ choices: [{ delta: message, finish_reason: finish }] }, { choices: [], usage: USAGE }];
  return { whole, streamed: pieces.map((piece) => JSON.stringify(piece)) };
}

describe("what a turn counts that failed is the same whole and streamed", () => {
  const failed = { error: { message: "it broke" }, usage: USAGE };
  it.each<[string, Partial<ModelTurnRequest>, { whole: object; streamed: readonly string[] }, TurnSpending["usage"]]>([
    ["a call that was not allowed", { toolChoice: "none" }, formsOf({ tool_calls: [CALL] }, "tool_calls"), COUNTED],
    ["no call although one was required", { toolChoice: "required" }, formsOf({ content: "No." }, "stop"), COUNTED],
    ["an end that says error", {}, formsOf({ content: "It w" }, "error"), COUNTED],
    ["an end that says nothing, after nothing", {}, formsOf({}, null), COUNTED],
    [
      "no choices",
      {},
      { whole: { choices: [], usage: USAGE }, streamed: [JSON.stringify({ choices: [], usage: USAGE })] },
      COUNTED,
    ],
    [
      "an error beside its counts",
      {},
      { whole: failed, streamed: [JSON.stringify(failed), JSON.stringify({ choices: [], usage: USAGE })] },
      COUNTED,
    ],
    [
      "an error and no counts",
      {},
      { whole: { error: { message: "it broke" } }, streamed: [JSON.stringify({ error: { message: "it broke" } })] },
      NOT_COUNTED,
    ],
    ["JSON of another kind", {}, { whole: { hello: 1 }, streamed: ['{"hello":1}'] }, NOT_COUNTED],
  ])("%s", async (_what, request, { whole, streamed }, usage) => {
    const isPartial = usage === NOT_COUNTED;
    const ofWhole = await spendingOf(whole, request);
    expect(ofWhole).toMatchObject({ usage });
    if (isPartial) expect(ofWhole).toMatchObject({ cost: { isPartial } });
    expect(await spendingOf(streamed, { ...request, ...listener })).toEqual(ofWhole);
    expect(await spendingOf(whole, { ...request, ...listener })).toEqual(ofWhole);
  });
});
