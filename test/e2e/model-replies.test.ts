import { expect, it } from "vitest";
import { openHostileWorld } from "./support/hostile-world.ts";
import type { WireTurn } from "./support/model-server.ts";

const BOTH = [true, false];

it.each<[string, WireTurn, string, string]>([
  ["cut off at its length limit", { text: "It was ship", finish: "length" }, "truncated", "It was ship"],
  ["empty", {}, "empty", "The model returned an empty reply."],
  ["thoughts and no words", { text: "<think>Hm.</think>" }, "empty", "The model returned an empty reply."],
  ["thoughts before its words", { text: "<think>Hm.</think>\nIt was shipped." }, "final", "It was shipped."],
])("a reply that is %s ends its execution accordingly, whole and streamed", async (_what, turn, stopReason, text) => {
  for (const isStreamed of BOTH) {
    const world = await openHostileWorld([turn]);
    const execution = await world.ask({}, {}, { isStreamed });
    expect(execution).toMatchObject({ status: "completed", stopReason, output: { text } });
  }
});

it("two calls with one id both run, whole and streamed", async () => {
  const calls = ["ORD-1", "ORD-2"].map((orderId) => ({
    id: "same",
    name: "lookup_order",
    arguments: JSON.stringify({ orderId }),
  }));
  for (const isStreamed of BOTH) {
    const world = await openHostileWorld([{ calls }, { text: "done" }]);
    expect((await world.ask({}, {}, { isStreamed })).toolCalls).toMatchObject([
      { status: "completed", parameters: { orderId: "ORD-1" } },
      { status: "completed", parameters: { orderId: "ORD-2" } },
    ]);
  }
});

it("a reply that can't be read says why in the error of its execution, and nothing of what it holds", async () => {
  for (const isStreamed of BOTH) {
    const world = await openHostileWorld([{ raw: { body: '{"hello":"planted"}' } }]);
    const { error } = await world.ask({}, {}, { isStreamed });
    expect(error).toMatchObject({
      code: "MODEL_ERROR",
      developerMessage: expect.stringMatching(/^HTTP 200 \(application\/json\): choices: .*expected array/),
    });
    expect(JSON.stringify(error)).not.toContain("planted");
  }
});
