import { Server as FirstServer } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type CallToolResult, createMcpHandler, Server } from "@modelcontextprotocol/server";
import { type HttpServer, startHttpServer } from "./http-server.ts";

const TOOLS = [
  {
    name: "echo",
    description: "Echoes.",
    inputSchema: { type: "object" as const, properties: { text: { type: "string" } } },
  },
  { name: "fail", description: "Fails.", inputSchema: { type: "object" as const } },
  { name: "image", description: "Draws.", inputSchema: { type: "object" as const } },
  { name: "structured", description: "Measures.", inputSchema: { type: "object" as const } },
];

function run(name: string, args: Record<string, unknown> = {}): CallToolResult {
  if (name === "fail") return { isError: true, content: [{ type: "text", text: "out of order" }] };
  if (name === "structured") {
    return { content: [{ type: "text", text: '{"celsius":21}' }], structuredContent: { celsius: 21 } };
  }
  if (name !== "image") return { content: [{ type: "text", text: `echo: ${String(args["text"])}` }] };
  return {
    content: [
      { type: "text", text: "a dot" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a.bin", mimeType: "application/zip", blob: "aGk=" } },
      { type: "resource", resource: { uri: "file:///a.txt", text: "the file" } },
      { type: "resource_link", uri: "https://example.com/a", name: "a" },
    ],
  };
}

/** A server of the second SDK, with or without support for revisions before 2026-07-28. */
export function startSecondServer(legacy: "stateless" | "reject" = "stateless"): Promise<HttpServer> {
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: "second", version: "1" }, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
      server.setRequestHandler("tools/call", ({ params }) => run(params.name, params.arguments));
      return server;
    },
    { legacy },
  );
  return startHttpServer(async ({ method, headers, body }, response) => {
    const list = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const init = { method, headers: list, ...(method === "POST" ? { body } : {}) };
    const { status, headers: sent, body: answer } = await handler.fetch(new Request("http://localhost/mcp", init));
    response.writeHead(status, Object.fromEntries(sent));
    for await (const chunk of answer ?? []) response.write(chunk);
    response.end();
  });
}

/** A server of the first SDK, with sessions. */
export function startFirstServer(): Promise<HttpServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  return startHttpServer(async ({ headers, body }, response, message) => {
    const parsed = body === "" ? undefined : JSON.parse(body);
    const known = transports.get(String(headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(message, response, parsed);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    const server = new FirstServer({ name: "first", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ ...run(params.name, params.arguments) }));
    await server.connect(transport);
    return transport.handleRequest(message, response, parsed);
  });
}
