import { jsonObjectSchema, openResponse, YagateError } from "@yagate/protocol";
import * as z from "zod";
import type { Readiness } from "../readiness/readiness.ts";
import { defineRoute, type Route } from "../route.ts";

export interface OperationRouteOptions {
  readonly readiness: Pick<Readiness, "assertReady">;
  /** All metrics of this process, as text. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** Whose keys may read them. */
  readonly operatorWorkspaceId: string;
  /** As JSON. */
  readonly openApiDocument: () => string;
}

const okSchema = openResponse(z.looseObject({ status: z.literal("ok") }));
const readySchema = okSchema.extend({
  /** The names of what was looked at. */
  checks: z.array(z.string()),
});

export function operationRoutes({
  readiness,
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
      description: "For liveness probes. Says nothing about the store.",
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
      summary: "Whether this gateway can take work; 503 names what it lacks",
      description:
        "For readiness probes and load balancers. Answers 503 while the store can't be reached, and when the gateway is about to stop.",
      tag,
      scopes: null,
      status: 200,
      response: readySchema,
      handle: async () => ({ status: 200, body: { status: "ok", checks: [...(await readiness.assertReady())] } }),
    }),
    defineRoute({
      name: "getMetrics",
      method: "get",
      path: "/metrics",
      summary: "Metrics of this process in Prometheus' text format",
      description: "Metrics of all workspaces together, so the key must belong to the operator's workspace.",
      tag,
      scopes: ["operations"],
      isUnmetered: true,
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
      description: "The document that you are reading, made from the schemas that check the requests.",
      tag,
      scopes: null,
      status: 200,
      response: jsonObjectSchema,
      handle: async () => ({
        status: 200,
        text: openApiDocument(),
        headers: { "Content-Type": "application/json" },
      }),
    }),
  ];
}
