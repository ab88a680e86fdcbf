import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

const AGENT = { name: "<agent>", text: "name of the agent, or agt_…" };
const load = () => import("../agents/agents.ts");

export const agents: CommandSpec = {
  name: "agents",
  summary: "List, show, create, update and delete agents",
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
