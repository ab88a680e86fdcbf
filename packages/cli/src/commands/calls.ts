import type { CommandSpec } from "../frame/command-spec.ts";
import { SECRET_NOTE, SECRET_OPTIONS } from "../signing-secrets/secret-sources.ts";
import { GROUPS } from "./groups.ts";

const ID = { name: "<id>", text: "tc_…" };
const SCOPES = ["executions"];
const CALL = "tc_01jd3v0c8me9kxt3f6r2p5q7sa";

export const calls: CommandSpec = {
  name: "calls",
  summary: "Find, show and redeliver tool calls",
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
      notes: ["Calls must match all filters. Changes of calls are included after at most 2 seconds."],
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
    {
      name: "redeliver",
      summary: "Send an ended call to its handler again, through the gateway",
      arguments: [ID],
      options: [
        { flags: "--confirm", text: "confirm a call that may write" },
        { flags: "--to <url>", text: "send it to this URL instead; only in development workspaces" },
      ],
      examples: [`yagate calls redeliver ${CALL}`, `yagate calls redeliver ${CALL} --confirm`],
      notes: [
        "The outcome of the call, its execution and its receipt do not change.",
        "If a person approved the call, the API key also needs the scope approvals.",
      ],
      scopes: SCOPES,
      page: "redelivery",
      fieldOptions: { confirm: "--confirm", url: "--to" },
      statuses: { 0: "The handler returned a result.", 1: "The redelivery failed." },
      output: { schema: "Redelivery" },
      run: async ({ args: [id = ""], open, options }) =>
        (await import("../calls/redeliver.ts")).redeliverCall(await open(), id, options),
    },
    {
      name: "send",
      summary: "Sign a recorded call here and send it from this machine",
      arguments: [ID],
      options: [
        { flags: "--to <url>", text: "URL of the handler, such as http://localhost:3000/tools" },
        { flags: "--allow-remote", text: "allow a URL that is not on this machine" },
        ...SECRET_OPTIONS,
      ],
      examples: [`yagate calls send ${CALL} --to http://localhost:3000/tools`],
      notes: [SECRET_NOTE, "The gateway only supplies the recorded arguments. It stores nothing."],
      scopes: SCOPES,
      page: "redelivery",
      statuses: { 0: "The response has a 2xx status.", 1: "The response has another status." },
      output: { schema: "SentCall" },
      run: async ({ args: [id = ""], open, options }) =>
        (await import("../calls/send.ts")).sendRecordedCall(await open(), id, options),
    },
  ],
};
