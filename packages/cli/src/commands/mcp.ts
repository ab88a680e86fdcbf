import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const mcp: CommandSpec = {
  name: "mcp",
  summary: "Offer exposed agents to an MCP host that starts this command",
  group: GROUPS.executions,
  examples: ["yagate mcp", "yagate mcp --url http://localhost:4820"],
  notes: [
    "Hosts that connect over HTTP do not need this command: they use the gateway's /mcp.",
    "Standard output contains only messages of the Model Context Protocol. Everything else goes to standard error.",
    "The command ends when the host closes standard input. Executions that it started continue.",
  ],
  scopes: ["executions"],
  output: { schema: "McpMessage", isStream: true },
  page: "mcp-server#hosts-that-start-a-command",
  keepsTimeout: true,
  run: async ({ open }) => (await import("../mcp/run-bridge.ts")).runBridge(await open()),
};
