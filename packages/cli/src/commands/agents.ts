import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const AGENT = { name: "<agent>", text: "name of the agent, or agt_…" };
const load = () => import("../agents/agents.ts");

export const agents: CommandSpec = {
  name: "agents",
  summary: "List, show, create, update, apply and delete agents",
  group: GROUPS.common,
  examples: ["yagate agents list", "yagate agents create agent.json", 'yagate agents show "Order desk"'],
  notes: ["An agent is identified by its id or its unique name."],
  scopes: ["agents"],
  page: "agents-and-tools",
  commands: [
    {
      name: "list",
      summary: "List the agents of the workspace, newest first",
      examples: ["yagate agents list", "yagate agents list --json"],
      scopes: ["agents"],
      output: { schema: "AgentList" },
      run: async ({ open }) => (await load()).listAgents(await open()),
    },
    {
      name: "show",
      summary: "Show one agent as JSON",
      arguments: [AGENT],
      examples: ['yagate agents show "Order desk"'],
      scopes: ["agents"],
      output: { schema: "Agent" },
      run: async ({ args: [agent = ""], open }) => (await load()).showAgent(await open(), agent),
    },
    {
      name: "create",
      summary: "Create an agent from a file",
      arguments: [{ name: "<file>", text: "JSON, as for POST /v1/agents; - reads standard input" }],
      examples: ["yagate agents create agent.json"],
      notes: [
        'A file may refer to tools of the workspace by name, as in { "tool": "get_weather" }. The API key then also needs the scope tools.',
      ],
      scopes: ["agents"],
      output: { schema: "Agent" },
      run: async ({ args: [file = ""], open }) => (await load()).createAgent(await open(), file),
    },
    {
      name: "update",
      summary: "Update an agent with the fields in a file",
      arguments: [AGENT, { name: "<file>", text: "JSON, as for PATCH /v1/agents/:id; - reads standard input" }],
      examples: ['yagate agents update "Order desk" change.json'],
      scopes: ["agents"],
      output: { schema: "Agent" },
      run: async ({ args: [agent = "", file = ""], open }) => (await load()).updateAgent(await open(), agent, file),
    },
    {
      name: "apply",
      summary: "Create or update the agents in a file by their names, and show the differences first",
      options: [
        {
          flags: "-f, --file <file>",
          text: "JSON object or list of them, as for POST /v1/agents; - reads standard input",
          isRequired: true,
        },
        { flags: "--dry-run", text: "show the differences, and change nothing" },
      ],
      examples: ["yagate agents apply --file agents.json --dry-run", "yagate agents apply --file agents.json --yes"],
      notes: [
        "The file describes each agent completely: a field that it omits gets its default. Agents that are not in the file stay as they are.",
        "On a terminal, the command asks before it changes agents, unless --yes is set. The differences go to standard error.",
      ],
      scopes: ["agents"],
      output: { schema: "AppliedAgents" },
      run: async ({ open, options }) => (await import("../agents/apply.ts")).applyAgents(await open(), options),
    },
    {
      name: "versions",
      summary: "List the versions of an agent, newest first",
      arguments: [AGENT],
      examples: ['yagate agents versions "Order desk"'],
      notes: ["With --json, each version is complete."],
      scopes: ["agents"],
      output: { schema: "AgentList" },
      run: async ({ args: [agent = ""], open }) => (await load()).listVersions(await open(), agent),
    },
    {
      name: "delete",
      summary: "Archive an agent",
      arguments: [AGENT],
      examples: ['yagate agents delete "Order desk"'],
      notes: ["Executions that have started continue. New ones cannot start."],
      scopes: ["agents"],
      output: { schema: "Deletion" },
      run: async ({ args: [agent = ""], open }) => (await load()).deleteAgent(await open(), agent),
    },
  ],
};
