import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const ID = { name: "<id>", text: "tc_…" };
const SCOPES = ["executions"];
const CALL = "tc_01jd3v0c8me9kxt3f6r2p5q7sa";

export const calls: CommandSpec = {
  name: "calls",
  summary: "Find and show tool calls",
  group: GROUPS.executions,
  examples: ["yagate calls list --status failed", `yagate calls show ${CALL}`],
  scopes: SCOPES,
  page: "tool-calls",
  commands: [
    {
      name: "list",
      summary: "List the tool calls of all executions, newest first",
      options: [
        {
          flags: "--status <status>",
          text: "requested, running, completed, failed, denied, cancelled, waiting_approval, waiting_callback, waiting_fallback, waiting_input or waiting_task",
        },
        { flags: "--tool <name>", text: "calls to the tool with this name" },
        { flags: "--code <code>", text: "calls with this error code, such as TIMEOUT" },
        { flags: "--limit <number>", text: "maximum number of calls (default: 50; with --json, all calls)" },
      ],
      examples: ["yagate calls list --status failed --tool lookup_order", "yagate calls list --code TIMEOUT --json"],
      notes: ["Calls must match all filters. A change of a call is included after at most 2 seconds."],
      scopes: SCOPES,
      output: { schema: "ToolCallSummary", isStream: true },
      fieldOptions: { status: "--status", tool: "--tool", code: "--code" },
      run: async ({ open, options }) => (await import("../calls/list.ts")).listCalls(await open(), options),
    },
    {
      name: "show",
      summary: "Show a tool call with its attempts",
      arguments: [ID],
      examples: [`yagate calls show ${CALL}`],
      notes: ["Invisible characters are printed as \\uXXXX."],
      scopes: SCOPES,
      output: { schema: "ToolCallRecord" },
      run: async ({ args: [id = ""], open }) => (await import("../calls/show.ts")).showCall(await open(), id),
    },
  ],
};
