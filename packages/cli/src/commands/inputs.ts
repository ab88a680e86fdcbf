import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const ID = { name: "<id>", text: "tc_…" };
const SCOPES = ["approvals"];
const CALL = "tc_01jd3v0c8me9kxt3f6r2p5q7sa";

export const inputs: CommandSpec = {
  name: "inputs",
  summary: "List, show and answer the questions of tool calls",
  group: GROUPS.executions,
  examples: ["yagate inputs list", `yagate inputs answer ${CALL} --content '{ "colour": "green" }'`],
  notes: ["A tool of an MCP server may ask a person for input in the middle of a call. The execution then waits."],
  scopes: SCOPES,
  page: "mcp-servers",
  commands: [
    {
      name: "list",
      summary: "List the latest questions of tool calls",
      options: [
        { flags: "--status <status>", text: "pending, answered, expired, cancelled, or all (default: pending)" },
        { flags: "--limit <count>", text: "maximum number of tool calls, 1 to 200 (default: 50)" },
      ],
      examples: ["yagate inputs list", "yagate inputs list --status all --json"],
      scopes: SCOPES,
      output: { schema: "InputRequestList" },
      run: async ({ open, options }) => (await import("../inputs/list.ts")).listInputs(await open(), options),
    },
    {
      name: "show",
      summary: "Show the questions of a tool call and the answers",
      arguments: [ID],
      examples: [`yagate inputs show ${CALL}`],
      notes: ["Invisible characters are printed as \\uXXXX. The command opens no URL."],
      scopes: SCOPES,
      output: { schema: "InputRequest" },
      run: async ({ args: [id = ""], open }) => (await import("../inputs/show.ts")).showInput(await open(), id),
    },
    {
      name: "answer",
      summary: "Answer all questions of a tool call",
      arguments: [ID],
      options: [
        { flags: "--content <json>", text: "fields of the form, for a single question; - reads standard input" },
        { flags: "--answers <json>", text: "one answer per question, by its key; - reads standard input" },
        { flags: "--accept", text: "accept questions that only ask to open a page" },
        { flags: "--decline", text: "decline all questions" },
        { flags: "--cancel", text: "leave all questions without a decision" },
        { flags: "--round <number>", text: "round that is answered (default: the latest)" },
      ],
      examples: [
        `yagate inputs answer ${CALL} --content '{ "colour": "green" }'`,
        `yagate inputs answer ${CALL} --answers '{ "colour": { "action": "accept", "content": { "colour": "green" } }, "page": { "action": "decline" } }'`,
        `yagate inputs answer ${CALL} --round 2 --decline`,
      ],
      notes: ["The first answer of a round counts. A later one fails with exit status 2."],
      scopes: SCOPES,
      output: { schema: "InputRequest" },
      run: async ({ args: [id = ""], open, options }) =>
        (await import("../inputs/answer.ts")).answerInput(await open(), id, options),
    },
  ],
};
