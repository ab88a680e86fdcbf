import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const ID = { name: "<id>", text: "exec_…" };
const load = () => import("../executions/executions.ts");

export const executions: CommandSpec = {
  name: "executions",
  summary: "Find, follow, cancel and replay executions",
  group: GROUPS.common,
  examples: [
    "yagate executions list --status failed --since 24h",
    "yagate executions follow exec_01jd3v0c8me9kxt3f6r2p5q7sa",
  ],
  scopes: ["executions"],
  page: "executions",
  commands: [
    {
      name: "list",
      summary: "List executions, newest first",
      options: [
        { flags: "--status <status>", text: "queued, running, waiting, completed, failed or cancelled" },
        {
          flags: "--agent <agent>",
          text: "executions of this agent: agt_…, or its name, which requires the scope agents",
        },
        { flags: "--code <code>", text: "executions that failed with this error code, such as MODEL_ERROR" },
        { flags: "--tool <name>", text: "executions that have called the tool with this name" },
        { flags: "--stop-reason <reason>", text: "executions that stopped for this reason, such as maxTotalTokens" },
        { flags: "--mode <mode>", text: "recorded (sent nothing, because they used a recording) or live" },
        {
          flags: "--since <time>",
          text: "created at this time or later: 2026-11-22 (midnight UTC), 2026-11-22T09:00:00Z, or 30m, 12h, 7d ago",
        },
        { flags: "--until <time>", text: "created before this time" },
        {
          flags: "--metadata <name=value>",
          text: "executions with this text at the top level of their metadata; up to 8, each name only once",
          isRepeatable: true,
        },
        { flags: "--limit <number>", text: "maximum number of executions (default: 50; with --json, all executions)" },
      ],
      examples: [
        "yagate executions list --status failed --since 24h",
        "yagate executions list --metadata orderId=ORD-7 --json",
      ],
      notes: ["Executions must match all filters."],
      scopes: ["executions"],
      output: { schema: "Execution", isStream: true },
      fieldOptions: {
        status: "--status",
        agent: "--agent",
        code: "--code",
        stopReason: "--stop-reason",
        mode: "--mode",
        tool: "--tool",
        since: "--since",
        until: "--until",
        metadata: "--metadata",
      },
      run: async ({ open, options }) => (await load()).listExecutions(await open(), options),
    },
    {
      name: "show",
      summary: "Show an execution with its tool calls as JSON",
      arguments: [ID],
      examples: ["yagate executions show exec_01jd3v0c8me9kxt3f6r2p5q7sa"],
      scopes: ["executions"],
      output: { schema: "ExecutionWithToolCalls" },
      run: async ({ args: [id = ""], open }) => (await load()).showExecution(await open(), id),
    },
    {
      name: "follow",
      summary: "Print all events of an execution, from the first to the last",
      arguments: [ID],
      examples: ["yagate executions follow exec_01jd3v0c8me9kxt3f6r2p5q7sa"],
      notes: ["With --json, the chunks of text are printed too, as text.delta events."],
      scopes: ["executions"],
      statuses: { 0: "The execution completed.", 1: "The execution failed or was cancelled." },
      output: { schema: "StreamEvent", isStream: true },
      run: async ({ args: [id = ""], open }) => (await load()).followExecution(await open(), id),
    },
    {
      name: "cancel",
      summary: "Cancel an execution",
      arguments: [ID],
      examples: ["yagate executions cancel exec_01jd3v0c8me9kxt3f6r2p5q7sa"],
      notes: [
        "No new work starts. The gateway waits for running tool calls that write. An execution that has ended does not change.",
      ],
      scopes: ["executions"],
      output: { schema: "Execution" },
      run: async ({ args: [id = ""], open }) => (await load()).cancelExecution(await open(), id),
    },
    {
      name: "replay",
      summary: "Run an ended execution again",
      arguments: [ID],
      options: [
        { flags: "--from-turn <number>", text: "copy the model turns before this one (default: 1)" },
        { flags: "--live", text: "send tool calls instead of using their recorded outcomes" },
        { flags: "--confirm", text: "confirm a live replay of an agent whose tools may write" },
      ],
      examples: [
        "yagate executions replay exec_01jd3v0c8me9kxt3f6r2p5q7sa",
        "yagate executions replay exec_01jd3v0c8me9kxt3f6r2p5q7sa --from-turn 2 --live --confirm",
      ],
      notes: [
        "The replay is a new execution. Follow it with yagate executions follow.",
        "To send a single call again, use yagate calls redeliver.",
      ],
      scopes: ["executions"],
      page: "replay",
      output: { schema: "Execution" },
      fieldOptions: { fromTurn: "--from-turn", confirm: "--confirm" },
      run: async ({ args: [id = ""], open, options }) => (await load()).replayExecution(await open(), id, options),
    },
  ],
};
