import { serve } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import * as z from "zod";

/** Stands in for the MCP server of a ticket system, which expects an API key as a bearer token. */
const API_KEY = process.env["TICKETS_API_KEY"] ?? "";

const tickets = new Map([
  ["TCK-7", { title: "The printer on floor 2 is jammed", status: "open" }],
  ["TCK-8", { title: "New laptop for the design team", status: "closed" }],
]);
const found = z.object({ title: z.string(), status: z.string() });

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "tickets", version: "1.0.0" });
  server.registerTool(
    "find_ticket",
    {
      description: "Finds a ticket by its number.",
      inputSchema: z.object({ ticket: z.string() }),
      outputSchema: found,
      annotations: { readOnlyHint: true },
    },
    ({ ticket }) => {
      const known = tickets.get(ticket);
      if (known === undefined) return failed(`there is no ticket ${ticket}`);
      return { content: [{ type: "text", text: JSON.stringify(known) }], structuredContent: known };
    },
  );
  server.registerTool(
    "close_ticket",
    {
      description: "Closes a ticket.",
      inputSchema: z.object({ ticket: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true },
    },
    ({ ticket }) => {
      const known = tickets.get(ticket);
      if (known === undefined) return failed(`there is no ticket ${ticket}`);
      known.status = "closed";
      return { content: [{ type: "text", text: `${ticket} is closed` }] };
    },
  );
  return server;
});

function failed(text: string) {
  return { isError: true, content: [{ type: "text" as const, text }] };
}

const app = new Hono();
app.all("/mcp", async (context) => {
  if (context.req.header("authorization") !== `Bearer ${API_KEY}`) return context.text("wrong API key", 401);
  return handler.fetch(context.req.raw);
});
serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 0), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}`),
);
