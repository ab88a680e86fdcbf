import { expect, it } from "vitest";
import { MAX_RECORDED_TURNS, recordingSchema } from "../../src/index.ts";

const HASH = `sha256:${"a".repeat(64)}`;
const TURN = { toolCalls: [{ name: "lookup_order", parameters: { orderId: "ORD-1" } }] };
const RESULT = { name: "lookup_order", argumentsHash: HASH, occurrence: 1, result: { status: "packed" } };

it("fills in what a recorded error leaves out", () => {
  const { result: _, ...call } = RESULT;
  const recording = { modelTurns: [TURN], toolResults: [{ ...call, error: { code: "GONE", message: "gone" } }] };
  expect(recordingSchema.parse(recording).toolResults[0]?.error).toEqual({
    code: "GONE",
    message: "gone",
    retryable: false,
    outcome: "none",
    source: "handler",
  });
});

it("needs no tool results", () => {
  expect(recordingSchema.parse({ modelTurns: [{ text: "Hello" }] }).toolResults).toEqual([]);
});

it.each<[string, object, string]>([
  ["no model turn", { modelTurns: [] }, "modelTurns"],
  ["too many model turns", { modelTurns: Array(MAX_RECORDED_TURNS + 1).fill({ text: "" }) }, "modelTurns"],
  ["an unknown field", { modelTurns: [{ text: "", cost: 1 }] }, "modelTurns.0"],
  ["a failure as a finish reason", { modelTurns: [{ finishReason: "error" }] }, "modelTurns.0.finishReason"],
  [
    "a hash in upper case",
    { toolResults: [{ ...RESULT, argumentsHash: HASH.toUpperCase() }] },
    "toolResults.0.argumentsHash",
  ],
  ["an occurrence of 0", { toolResults: [{ ...RESULT, occurrence: 0 }] }, "toolResults.0.occurrence"],
  ["an agent without a hash", { agent: { id: "agt_1", version: 1 } }, "agent.hash"],
])("refuses %s", (_name, change, path) => {
  const parsed = recordingSchema.safeParse({ modelTurns: [TURN], toolResults: [RESULT], ...change });
  expect(parsed.error?.issues.map((issue) => issue.path.join("."))).toContain(path);
});
