import { type Execution, executionSchema, type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { readableStarter } from "../../src/exposed-agents/agent-tasks.ts";
import { NO_APPROVAL_PAGES } from "../../src/exposed-agents/approval-pages.ts";
import { toCallResult } from "../../src/exposed-agents/call-result.ts";
import { describeWait } from "../../src/exposed-agents/person-awaited.ts";

const AT = "2026-11-21T06:00:00.000Z";
const ID = "exec_01m7yj864ke00brb1mkxjenfhm";

function execution(changes: Partial<Execution>): Execution {
  return executionSchema.parse({
    ...{ id: ID, agentId: "agt_01m7yj864ke00brb1mkxjenfhm", agentVersion: 1, status: "completed", stopReason: "final" },
    ...{ input: "hello", output: { text: "It is 42." }, error: null, metadata: {} },
    ...{ usage: { inputTokens: 1, outputTokens: 1, toolCalls: 0 }, cost: { usd: 0, credits: 0 } },
    ...{ createdAt: AT, startedAt: AT, finishedAt: AT },
    ...changes,
  });
}

const running = execution({ status: "running", stopReason: null, output: null, finishedAt: null });

function waitingCall(changes: Partial<ToolCallRecord>): ToolCallRecord {
  return toolCallRecordSchema.parse({
    ...{ id: "tc_01m7yj864ke00brb1mkxjenfhm", executionId: ID, turn: 1, name: "refund", kind: "handler" },
    ...{ parameters: {}, risk: null, policyDecision: null, status: "waiting_input", attempts: [] },
    ...{ cost: { usd: 0, credits: 0 }, requestedAt: AT, finishedAt: null },
    ...changes,
  });
}

describe("the result for an MCP host", () => {
  it.each<[string, Partial<Execution>, string, boolean]>([
    ["has completed", {}, "It is 42.", false],
    ["was cancelled", { status: "cancelled", stopReason: "cancelled" }, `The execution ${ID} was cancelled.`, true],
    [
      "has failed",
      { status: "failed", stopReason: "error", error: { code: "MODEL_ERROR", message: "no reply" } },
      `The execution ${ID} failed. MODEL_ERROR: no reply`,
      true,
    ],
    [
      "ended without a reply",
      { stopReason: "empty", output: { text: "" } },
      `The execution ${ID} ended without a reply (empty).`,
      true,
    ],
  ])("of an execution that %s", (_how, changes, text, isError) => {
    const result = toCallResult(execution(changes), [], undefined);
    expect(result).toMatchObject({ content: [{ type: "text", text }] });
    expect(result.isError ?? false).toBe(isError);
    const { status = "completed" } = changes;
    expect(result._meta).toEqual({ "yagate/executionId": ID, "yagate/executionStatus": status });
  });

  it("names the calls that wait for input, and is no error", async () => {
    const result = toCallResult(
      running,
      [waitingCall({})],
      await describeWait(ID, [waitingCall({})], NO_APPROVAL_PAGES),
    );
    expect(result.isError).toBeUndefined();
    expect(result._meta).toEqual({
      "yagate/executionId": ID,
      "yagate/executionStatus": "running",
      "yagate/inputToolCallIds": ["tc_01m7yj864ke00brb1mkxjenfhm"],
    });
    expect(result.content).toMatchObject([{ text: expect.stringContaining("(the call of refund)") }]);
  });

  it("names every call that waits for input", () => {
    const ids = ["tc_01m7yj864ke00brb1mkxjenfhm", "tc_01m7yj864ke00brb1mkxjenfhn"];
    const { _meta } = toCallResult(
      running,
      ids.map((id) => waitingCall({ id })),
      undefined,
    );
    expect(_meta).toMatchObject({ "yagate/inputToolCallIds": ids });
  });

  it("says that an execution goes on if nothing waits for a person", () => {
    const { content, _meta } = toCallResult(running, [waitingCall({ status: "running" })], undefined);
    expect(content).toMatchObject([{ text: expect.stringMatching(/is still running.* call execution_result /) }]);
    expect(_meta).toEqual({ "yagate/executionId": ID, "yagate/executionStatus": "running" });
  });
});

it.each([
  ["an API key", "key_01m7yj864ke00brb1mkxjenfhm", undefined],
  ["no key", null, undefined],
])("%s reads the executions of every starter in its workspace", (_who, keyId, starter) => {
  expect(readableStarter({ keyId })).toBe(starter);
});
