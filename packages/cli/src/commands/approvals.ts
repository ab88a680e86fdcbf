import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const ID = { name: "<id>", text: "apr_…" };
const SCOPES = ["approvals"];
const OTHER_KEY = "The API key must not be the one that started the execution, unless the gateway allows it.";

export const approvals: CommandSpec = {
  name: "approvals",
  summary: "List, watch, show, approve and deny tool calls that wait for an approval",
  group: GROUPS.executions,
  examples: ["yagate approvals list", "yagate approvals approve apr_01jd3v0c8me9kxt3f6r2p5q7sa"],
  scopes: SCOPES,
  page: "approvals",
  commands: [
    {
      name: "list",
      summary: "List the newest approvals",
      options: [
        {
          flags: "--status <status>",
          text: "pending, approved, denied, expired, cancelled, or all (default: pending)",
        },
        { flags: "--limit <count>", text: "maximum number of approvals, 1 to 200 (default: 50)" },
      ],
      examples: ["yagate approvals list", "yagate approvals list --status all --json"],
      scopes: SCOPES,
      output: { schema: "ApprovalList" },
      run: async ({ open, options }) => (await import("../approvals/list.ts")).listApprovals(await open(), options),
    },
    {
      name: "show",
      summary: "Show an approval with its exact request and its decision",
      arguments: [ID],
      examples: ["yagate approvals show apr_01jd3v0c8me9kxt3f6r2p5q7sa"],
      notes: [
        "Invisible characters are printed as \\uXXXX.",
        "If the arguments were changed, the output contains the new arguments, the hash of the request that is sent with them, and the original request.",
      ],
      scopes: SCOPES,
      output: { schema: "Approval" },
      run: async ({ args: [id = ""], open }) => (await import("../approvals/show.ts")).showApproval(await open(), id),
    },
    {
      name: "watch",
      summary: "Print each approval when it is requested, with the commands to decide it",
      options: [{ flags: "--limit <count>", text: "stop after this many approvals (default: never)" }],
      examples: ["yagate approvals watch", "yagate approvals watch --limit 1 --json"],
      notes: ["Approvals that are already pending are printed first. Stop the command with Ctrl+C."],
      scopes: SCOPES,
      output: { schema: "Approval", isStream: true },
      run: async ({ open, options }) => (await import("../approvals/watch.ts")).watchApprovals(await open(), options),
    },
    {
      name: "approve",
      summary: "Approve a tool call, as requested or with different arguments",
      arguments: [ID],
      options: [
        { flags: "--parameters <json>", text: "arguments that replace the model's arguments; - reads standard input" },
        { flags: "--comment <text>", text: "comment, which is stored in the record" },
      ],
      examples: [
        'yagate approvals approve apr_01jd3v0c8me9kxt3f6r2p5q7sa --comment "requested by the customer"',
        `yagate approvals approve apr_01jd3v0c8me9kxt3f6r2p5q7sa --parameters '{ "orderId": "ORD-7" }'`,
      ],
      notes: [OTHER_KEY, "The first decision counts. A later decision fails with exit status 2."],
      scopes: SCOPES,
      output: { schema: "Approval" },
      run: async ({ args: [id = ""], open, options }) =>
        (await import("../approvals/answer.ts")).approve(await open(), id, options),
    },
    {
      name: "deny",
      summary: "Deny a tool call",
      arguments: [ID],
      options: [{ flags: "--reason <text>", text: "reason, which the model reads" }],
      examples: ['yagate approvals deny apr_01jd3v0c8me9kxt3f6r2p5q7sa --reason "this order has already shipped"'],
      notes: ["The first decision counts. A later decision fails with exit status 2."],
      scopes: SCOPES,
      output: { schema: "Approval" },
      run: async ({ args: [id = ""], open, options }) =>
        (await import("../approvals/answer.ts")).deny(await open(), id, options),
    },
  ],
};
