import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** A stdio server of the first SDK, which knows no revision after 2025-11-25. Its tool reports progress. */
const server = new Server({ name: "first", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: "count", description: "Counts.", inputSchema: { type: "object" } }],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
  const progressToken = params._meta?.progressToken;
  if (progressToken === undefined) throw new Error("expected a progress token");
  for (const progress of [1, 2]) {
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress } });
  }
  return { content: [{ type: "text", text: "3" }] };
});
await server.connect(new StdioServerTransport());
