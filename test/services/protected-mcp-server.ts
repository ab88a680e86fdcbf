import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type AuthorizationServer, sendJson } from "./authorization-server.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** What a test changes about the server. */
export interface ProtectedMcpServerOptions {
  /** Changes the metadata of the protected resource; undefined: the server publishes none. */
  readonly resourceMetadata?: (metadata: Record<string, unknown>) => object | undefined;
  /** The `WWW-Authenticate` header of refused requests. */
  readonly challenge?: (origin: string) => string;
}

/** An MCP server that wants an access token for each request. */
export interface ProtectedMcpServer {
  readonly url: string;
  /** The paths of all requests, and their `Authorization` header. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | undefined }[];
}

/** The results of revision 2026-07-28, by method. */
function resultOf(method: string, text: unknown): object {
  const rest = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  if (method === "tools/call") return { ...rest, content: [{ type: "text", text: `echo: ${String(text)}` }] };
  if (method === "tools/list") {
    const inputSchema = { type: "object", properties: { text: { type: "string" } } };
    return { ...rest, tools: [{ name: "echo", description: "Echoes.", inputSchema }] };
  }
  const serverInfo = { name: "protected", version: "1" };
  return { ...rest, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo };
}

/** Starts an MCP server for the current test, whose tokens come from `authorization`. */
export async function startProtectedMcpServer(
  authorization: Pick<AuthorizationServer, "issuer" | "accepts">,
  options: ProtectedMcpServerOptions = {},
): Promise<ProtectedMcpServer> {
  const requests: { path: string; authorization: string | undefined }[] = [];
  const server = createServer(async (message, response) => {
    const { url: path = "", headers } = message;
    requests.push({ path, authorization: headers.authorization });
    if (path.startsWith("/.well-known/oauth-protected-resource")) {
      const metadata = { resource: url, authorization_servers: [authorization.issuer] };
      const published = options.resourceMetadata === undefined ? metadata : options.resourceMetadata(metadata);
      return published === undefined ? sendJson(response, 404, {}) : sendJson(response, 200, published);
    }
    if (path !== "/mcp") return sendJson(response, 404, {});
    const token = headers.authorization?.replace("Bearer ", "");
    if (!authorization.accepts(token, url)) {
      const challenge = options.challenge?.(origin) ?? "Bearer";
      return sendJson(response, 401, {}, { "www-authenticate": challenge });
    }
    const { id, method, params } = JSON.parse(await text(message));
    return sendJson(response, 200, { jsonrpc: "2.0", id, result: resultOf(method, params?.arguments?.text) });
  });
  const origin = await listenOnLoopback(server);
  const url = `${origin}/mcp`;
  return { url, requests };
}
