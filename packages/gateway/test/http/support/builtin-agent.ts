import type { BuiltinName, JsonObject, ToolCallRecord } from "@yagate/protocol";
import { execute, makeAgent } from "./agents.ts";
import type { ApiCaller, Call } from "./api-caller.ts";
import { toolRecordsOf } from "./tool-records.ts";

/** Calls of one turn, which run side by side. */
const CALLS_PER_TURN = 200;

/**
 * Makes an agent that calls one built-in tool.
 *
 * @returns what runs one execution of so many calls and gives their records, in their order.
 */
export async function makeBuiltinAgent(api: ApiCaller, builtin: BuiltinName, call: Call = {}) {
  const limits = { maxToolCallsPerTurn: 1_000, maxToolIterations: 1_000, maxToolResultTokens: 100_000_000 };
  const { id: agentId } = await makeAgent(api, { tools: [{ builtin }], limits }, call);
  return async (parameters: readonly JsonObject[], perTurn = CALLS_PER_TURN): Promise<readonly ToolCallRecord[]> => {
    const calls = parameters.map((one) => ({ name: builtin, parameters: one }));
    const turns = Array.from({ length: Math.ceil(calls.length / perTurn) }, (_, turn) => ({
      toolCalls: calls.slice(turn * perTurn, (turn + 1) * perTurn),
    }));
    const { id } = await execute(api, agentId, { input: "go", script: { turns: [...turns, { text: "done" }] } }, call);
    return toolRecordsOf(api, id, call);
  };
}
