import { fold } from "@yagate/execution-machine/fold";
import { type ExecutionState, initialState } from "@yagate/execution-machine/state";
import type { JsonValue, ToolKind } from "@yagate/protocol";
import { expect, it } from "vitest";
import { AT, executionOf, summaryOf } from "../../../store/test/support/fixtures.ts";
import { admitCalls } from "../../src/executions/run/admit-calls.ts";
import { composed, takes } from "../tools/composed/composed-world.ts";
import { agentWith, createToolsetWorld } from "../tools/toolset-world.ts";

const COST = { usd: 0, credits: 0 };
const TOOLS = [
  { builtin: "text_summarizer" as const },
  { builtin: "read_artifact" as const },
  composed("gist", "text_summarizer", { artifactId: "${of}", mode: "extractive" }, takes("of")),
  composed("gist_of_call", "gist", { of: "art_${call}" }, takes("call")),
  composed("sum", "calculator", { expression: "1 + 1" }, takes("artifactId")),
];

/** After one call of this kind, `tc_1`, has returned its result. */
function after(kind: ToolKind, isUntrusted: boolean): ExecutionState {
  const place = (seq: number) => ({ seq, at: AT, executionId: "exec_1" });
  const start = fold(initialState("exec_1"), { type: "model.requested", turn: 1, attempt: 1, model: "m", ...place(1) });
  const requested = fold(start, {
    ...{ type: "tool_call.requested", toolCallId: "tc_1", turn: 1, name: "page", kind, parameters: {} },
    ...{ sideEffect: null, risk: null, policyDecision: null, isUntrusted },
    ...place(2),
  });
  const result = "x".repeat(60_000);
  return fold(requested, { type: "tool_call.completed", toolCallId: "tc_1", result, cost: COST, ...place(3) });
}

async function admission(name: string, parameters: JsonValue, state: ExecutionState) {
  const { toolsetOf } = await createToolsetWorld();
  const agent = agentWith(TOOLS);
  const { calls } = await admitCalls(
    { toolCalls: [{ toolCallId: "tc_2", providerCallId: "1", name, parameters }], parts: [], hostedCalls: [] },
    {
      execution: { ...executionOf("ws_1"), ...summaryOf("running"), lastSeq: 3, epoch: 1 },
      agent,
      toolset: await toolsetOf(TOOLS),
      state,
      newApprovalId: () => "apr_1",
      newFrameNonce: () => "00112233445566778899aabbccddeeff",
    },
  );
  return calls[0]?.admission;
}

it.each<[string, JsonValue, boolean]>([
  ["read_artifact", { artifactId: "art_1" }, true],
  ["text_summarizer", { artifactId: "art_1" }, true],
  ["gist", { of: "art_1" }, true],
  ["gist_of_call", { call: "1" }, true],
  ["gist", { of: "art_9" }, false],
  ["gist", { of: { no: "text" } }, false],
  ["gist", "art_1", false],
  ["text_summarizer", { text: "art_1" }, false],
  ["sum", { artifactId: "art_1" }, false],
])("a call of %s with %j is marked as untrusted: %s", async (name, parameters, isMarked) => {
  const admitted = await admission(name, parameters, after("network", true));
  expect(admitted?.isUntrusted).toBe(isMarked ? true : undefined);
  // A person may have it read another artifact.
  expect(admitted?.frameNonce).toBe(name === "sum" ? undefined : "00112233445566778899aabbccddeeff");
});

it("a part of a trusted result is not marked", async () => {
  expect(await admission("gist", { of: "art_1" }, after("handler", false))).not.toHaveProperty("isUntrusted");
  expect(await admission("gist", { of: "art_1" }, after("network", false))).not.toHaveProperty("isUntrusted");
});
