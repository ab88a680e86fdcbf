import { serve } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import * as z from "zod";

/** Stands in for the MCP server of a search service. Its results have the form of the gateway's own web_search. */
const pages = [
  {
    url: "https://rights.example/asylum",
    title: "The right to asylum",
    text: "Everyone has the right to seek and to enjoy in other countries asylum from persecution.",
  },
];

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "search", version: "1.0.0" });
  server.registerTool(
    "find_pages",
    {
      description: "Finds pages on the web.",
      inputSchema: z.object({ words: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ words }) => {
      const wanted = words.toLowerCase().split(/\W+/);
      const found = pages.filter(({ text }) => wanted.some((word) => word !== "" && text.toLowerCase().includes(word)));
      const results = found.map(({ url, title, text }, index) => ({ id: index + 1, url, title, claims: [{ text }] }));
      const structuredContent = { provider: "mcp", results };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  return server;
});

const app = new Hono();
app.all("/mcp", (context) => handler.fetch(context.req.raw));
serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 0), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}`),
);
