import { jsonObjectSchema, YagateError } from "@yagate/protocol";
import { z } from "zod";
import { defineRoute, type Route } from "../route.ts";

export interface OperationRouteOptions {
  /** Rejects when the store would refuse a write. */
  readonly ping: () => Promise<void>;
  /** All metrics of this process, as text. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** Whose keys may read them. */
  readonly operatorWorkspaceId: string;
  readonly openApiDocument: () => unknown;
}

const okSchema = z.looseObject({ status: z.literal("ok") });

export function operationRoutes({
  ping,
  metrics,
  operatorWorkspaceId,
  openApiDocument,
}: OperationRouteOptions): readonly Route[] {
  const tag = "operations";
  return [
    defineRoute({
      name: "getHealth",
      method: "get",
      path: "/healthz",
      summary: "Whether the process answers",
      tag,
      scopes: null,
      status: 200,
      response: okSchema,
      handle: async () => ({ status: 200, body: { status: "ok" } }),
    }),
    defineRoute({
      name: "getReadiness",
      method: "get",
      path: "/readyz",
      summary: "Whether the gateway can do its work: its store takes writes",
      tag,
      scopes: null,
      status: 200,
      response: okSchema,
      async handle() {
        await ping();
        return { status: 200, body: { status: "ok" } };
      },
    }),
    defineRoute({
      name: "getMetrics",
      method: "get",
      path: "/metrics",
      summary: "Metrics of this process in Prometheus' text format",
      tag,
      scopes: ["operations"],
      status: 200,
      response: z.string(),
      mediaType: "text/plain",
      async handle({ principal, response }) {
        // They are of all workspaces together, so they are the operator's alone.
        if (principal.workspaceId !== operatorWorkspaceId) {
          throw new YagateError(
            "FORBIDDEN",
            "expected a key of the operator's workspace: metrics are of all workspaces",
          );
        }
        const { contentType, text } = await metrics();
        response.writeHead(200, { "Content-Type": contentType, "Content-Length": Buffer.byteLength(text) });
        response.end(text);
        return "streamed";
      },
    }),
    defineRoute({
      name: "getOpenApiDocument",
      method: "get",
      path: "/openapi.json",
      summary: "This API as an OpenAPI 3.1 document",
      tag,
      scopes: null,
      status: 200,
      response: jsonObjectSchema,
      handle: async () => ({ status: 200, body: openApiDocument() }),
    }),
  ];
}
