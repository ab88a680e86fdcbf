import type { Admission } from "@yagate/execution-machine/inputs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MachineHistory } from "../../../execution-machine/test/support/history.ts";
import { ADMITTED, MachineWorld, planWith } from "../../../execution-machine/test/support/machine-world.ts";
import { scene } from "../../../execution-machine/test/support/moves.ts";
import { toConversation } from "../../src/executions/run/conversation.ts";

const RUNS = 400;

describe("the conversation that the next model turn reads", () => {
  it("has one result for every call, in the order of the calls", () => {
    fc.assert(
      fc.property(scene, (one) => {
        const { state, config } = new MachineHistory(one).play(one.moves);
        const messages = toConversation(state, config.input, new Map());
        const results = messages.flatMap((message) => (message.role === "tool" ? [message.results] : []));
        const asked = state.turns.map((turn) => turn.calls.map(({ id }) => id)).filter((ids) => ids.length > 0);
        expect(results.map((ofTurn) => ofTurn.map(({ toolCallId }) => toolCallId))).toEqual(asked);
      }),
      { numRuns: RUNS },
    );
  });

  it("says which arguments an approver changed", () => {
    const asking: Admission = { ...ADMITTED, approval: { approvalId: "apr_a", requestHash: "sha256:apr_a" } };
    const world = new MachineWorld(planWith({ risky: {}, plain: {} })).start();
    world.model("I will", [{ name: "risky", admission: asking }, { name: "plain" }]);
    world.order({
      type: "approve",
      approvalId: "apr_a",
      by: { keyId: "key_1", isSelfApproval: false },
      edit: { parameters: { amount: 12 }, requestHash: "sha256:edited" },
    });
    world.feed({ type: "tick" });
    for (const effect of world.effects) world.finish(effect, { result: "ok" });
    expect(toConversation(world.state, "a question", new Map()).at(-1)).toMatchObject({
      results: [
        { text: '[A person changed the arguments of this call before it ran. It ran with: {"amount":12}]\n"ok"' },
        { text: '"ok"' },
      ],
    });
  });
});
