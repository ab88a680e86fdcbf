import type { IncomingHttpHeaders } from "node:http";
import { defined } from "@yagate/lib/objects/defined";
import type { McpServer } from "@yagate/mcp/server/mcp-server";
import type { ServedTools } from "@yagate/mcp/server/port";
import { YagateError } from "@yagate/protocol";
import type { RequestTracing } from "@yagate/telemetry/request-tracing";
import * as z from "zod";
import type { AgentToolsClient } from "../../exposed-agents/agent-tools.ts";
import type { AdmittedRequest } from "../quotas/request-admission.ts";
import { sendResponse } from "../responses/send-response.ts";
import { type AccessTokens, defineRoute, type Route } from "../route.ts";
import { metadataUrlOf, type ProtectedResource, protectedResourceRoutes } from "./protected-resource.ts";

const PATH = "/mcp";
/** Maximum number of messages in a batch, which only old revisions of the protocol have. */
const MAX_BATCH = 20;
const MAX_BODY_BYTES = 4 * 1_048_576;

const messageSchema = z.looseObject({});
const bodySchema = z.union([messageSchema, z.array(messageSchema).min(1).max(MAX_BATCH)]);

export interface McpRouteOptions {
  readonly server: McpServer;
  readonly toolsOf: (client: AgentToolsClient) => ServedTools;
  readonly admitRequest: (workspaceId: string) => Promise<AdmittedRequest>;
  readonly traceRequest: RequestTracing;
  /** Origins whose pages may use the route. Requests without `Origin` do not come from a page. */
  readonly origins: readonly string[];
  /** The OAuth access tokens that the route accepts. Default: only API keys. */
  readonly accessTokens?: Pick<AccessTokens, "authenticate"> & Pick<ProtectedResource, "url" | "issuers">;
}

/**
 * Creates the route of the Model Context Protocol (Streamable HTTP without sessions, so without GET and DELETE), and the
 * metadata of its access tokens.
 */
export function mcpRoutes(options: McpRouteOptions): readonly Route[] {
  const { server, toolsOf, admitRequest, traceRequest, origins, accessTokens } = options;
  const allowed = new Set(origins);
  const resource = accessTokens && { ...accessTokens, path: PATH };
  return [
    ...(resource === undefined ? [] : protectedResourceRoutes(resource)),
    defineRoute({
      name: "mcp",
      method: "post",
      path: PATH,
      summary: "Execute agents from an MCP host",
      tag: "executions",
      scopes: ["executions"],
      ...(resource === undefined
        ? {}
        : { accessTokens: { authenticate: resource.authenticate, metadataUrl: metadataUrlOf(resource) } }),
      isUndocumented: true,
      body: bodySchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 200,
      response: null,
      async handle({
        recorder,
        principal: { workspaceId, keyId, routing: keyRouting },
        headers,
        body,
        signal,
        response,
        note,
      }) {
        assertOrigin(headers.origin, allowed);
        // The request itself has been counted already.
        const others = Array.isArray(body) ? body.length - 1 : 0;
        for (let part = 0; part < others; part += 1) (await admitRequest(workspaceId)).end();
        const trace = traceRequest({ method: "POST", route: PATH, path: PATH, headers });
        response.once("close", () => trace.end(response.statusCode));
        const onStarted = (executionId: string) => note({ executionId });
        const tools = toolsOf({
          workspaceId,
          keyId,
          keyRouting,
          onStarted,
          recorder,
          ...defined({ trace: trace.context }),
        });
        await sendResponse(
          await server.respond({ headers: protocolHeaders(headers), message: body, signal }, tools),
          response,
          signal,
        );
        return "streamed";
      },
    }),
  ];
}

/** Rejects pages of other origins, which could reach a gateway that only their visitor can reach. */
function assertOrigin(origin: string | undefined, allowed: ReadonlySet<string>): void {
  if (origin === undefined || allowed.has(origin)) return;
  throw new YagateError("FORBIDDEN", "pages of this origin may not use the route", {
    hint: "add the page's origin to YAGATE_CORS_ORIGINS",
  });
}

/** Returns the headers that the protocol defines. The library must not see the key. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isOfProtocol = name === "accept" || name === "content-type" || name.startsWith("mcp-");
    if (isOfProtocol && value !== undefined) picked[name] = String(value);
  }
  return picked;
}
