import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const exec: CommandSpec = {
  name: "exec",
  summary: "Execute an agent, and print its tool calls and its output",
  group: GROUPS.common,
  arguments: [
    { name: "<agent>", text: "name of the agent, or agt_…" },
    { name: "<input...>", text: "input of the execution" },
  ],
  options: [
    { flags: "--follow", text: "print text and tool calls while the execution runs (default on a terminal)" },
    {
      flags: "--script <file>",
      text: "JSON with the model turns, for the model scripted/turns; - reads standard input",
    },
    {
      flags: "--max-cost <usd>",
      text: "limit maxCostUsd of this execution; it can only lower the limit of the agent, and one model turn may pass it",
    },
    {
      flags: "--max-tokens <count>",
      text: "limit maxTotalTokens of this execution; it can only lower the limit of the agent, and one model turn may pass it",
    },
  ],
  examples: ['yagate exec "Order desk" "Where is ORD-7?"', 'yagate exec "Order desk" "Where is ORD-7?" --json'],
  notes: [
    "Text goes to standard output. The id of the execution, each tool call and how it ended go to standard error.",
    "When the execution waits for an approval, for a callback or for the end of a pause, a line on standard error says for what and until when. Below it are the calls that wait for an approval, each with the commands that decide.",
    "When --timeout is over, the command ends with status 5 and the execution goes on.",
  ],
  scopes: ["agents", "executions"],
  statuses: {
    0: "The execution completed.",
    1: "The execution failed or was cancelled.",
    5: "The execution has not ended within --timeout. It goes on.",
  },
  page: "executions#start-and-follow",
  output: { schema: "ExecutionResult" },
  // The limits are checked on their own before the request is.
  fieldOptions: {
    maxCostUsd: "--max-cost",
    maxTotalTokens: "--max-tokens",
    "limits.maxCostUsd": "--max-cost",
    "limits.maxTotalTokens": "--max-tokens",
  },
  keepsTimeout: true,
  run: async ({ args: [agent = "", ...input], open, options }) =>
    (await import("../exec/exec.ts")).execute(await open(), agent, input, options),
};
