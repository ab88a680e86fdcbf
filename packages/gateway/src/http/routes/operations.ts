import { jsonObjectSchema, openResponse, YagateError } from "@yagate/protocol";
import * as z from "zod";
import type { Readiness } from "../readiness/readiness.ts";
import { defineRoute, type Route } from "../route.ts";

export interface OperationRouteOptions {
  readonly readiness: Pick<Readiness, "assertReady">;
  /** Returns all metrics of this process in the Prometheus text format. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** The workspace whose keys may read the metrics. */
  readonly operatorWorkspaceId: string;
  /** Returns the document as JSON text. */
  readonly openApiDocument: () => Promise<string>;
}

const okSchema = openResponse(z.looseObject({ status: z.literal("ok") }));
const readySchema = okSchema.extend({
  /** Names of the checks that passed. */
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
      summary: "Check that the process responds",
      description: "For liveness probes. It does not check the store.",
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
      summary: "Check that the gateway can take work",
      description:
        "For readiness probes and load balancers. Responds with 503 and the name of the failed check while the gateway cannot take work, for example because it cannot reach the store or is shutting down.",
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
      summary: "Get metrics in the Prometheus text format",
      description: "The metrics cover all workspaces, so the API key must belong to the operator's workspace.",
      tag,
      scopes: ["operations"],
      isUnmetered: true,
      status: 200,
      response: z.string(),
      mediaType: "text/plain",
      async handle({ principal, response }) {
        // Only the operator may read the metrics, because they cover all workspaces.
        if (principal.workspaceId !== operatorWorkspaceId) {
          throw new YagateError(
            "FORBIDDEN",
            "expected a key of the operator's workspace, because the metrics cover all workspaces",
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
      summary: "Get this API as an OpenAPI 3.1 document",
      description: "Returns this document. It is generated from the schemas that validate the requests.",
      tag,
      scopes: null,
      status: 200,
      response: jsonObjectSchema,
      handle: async () => ({
        status: 200,
        text: await openApiDocument(),
        headers: { "Content-Type": "application/json" },
      }),
    }),
  ];
}
