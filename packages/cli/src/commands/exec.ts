import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const exec: CommandSpec = {
  name: "exec",
  summary: "Execute an agent, and print its tool calls and its output",
  group: GROUPS.common,
  arguments: [
    { name: "<agent>", text: "name of the agent, or agt_…" },
    { name: "<input...>", text: "input of the execution; - reads standard input" },
  ],
  options: [
    { flags: "--follow", text: "print text and tool calls while the execution runs (default on a terminal)" },
    {
      flags: "--script <file>",
      text: "JSON with the scripted turns, for the model scripted/turns; - reads standard input",
    },
    {
      flags: "--max-cost <usd>",
      text: "limit maxCostUsd for this execution; can only be lower than the agent's limit, and one model turn may exceed it",
    },
    {
      flags: "--max-tokens <count>",
      text: "limit maxTotalTokens for this execution; can only be lower than the agent's limit, and one model turn may exceed it",
    },
    {
      flags: "--metadata <name=value>",
      text: "store this with the execution; yagate executions list can filter by it; may be repeated",
      isRepeatable: true,
    },
    {
      flags: "--approve <mode>",
      text: "ask: show each call that waits for an approval, and ask whether to approve it; deny: deny all of them",
    },
    { flags: "--detach", text: "start the execution, print its id, and do not wait for its end" },
    {
      flags: "--routing <json>",
      text: "JSON with the routing of the execution, such as its scopes and data class; - reads standard input",
    },
  ],
  examples: [
    'yagate exec "Order desk" "Where is ORD-7?"',
    'yagate exec "Order desk" - --detach --metadata orderId=ORD-7 < question.txt',
    'yagate exec "Order desk" "Where is ORD-7?" --json',
  ],
  notes: [
    "Text goes to standard output. The execution's id, each tool call and its outcome go to standard error.",
    "When the execution starts to wait for an approval, a callback or the end of a pause, a line on standard error shows the reason and how long the wait can last. For an approval, the next lines show the waiting calls and the commands that approve or deny them.",
    "With --approve, the key also needs the scope approvals, and must be allowed to approve calls in executions that it started, as in yagate dev.",
    "When --timeout expires, the command exits with status 5 and the execution continues.",
  ],
  scopes: ["agents", "executions"],
  statuses: {
    0: "The execution completed.",
    1: "The execution failed or was cancelled.",
    5: "The execution did not end within --timeout. It continues.",
  },
  page: "executions#start-and-follow",
  output: { schema: "ExecutionResult" },
  // The limits are validated separately, before the request is sent.
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
