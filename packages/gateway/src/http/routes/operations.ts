import { jsonObjectSchema } from "@yagate/protocol";
import { z } from "zod";
import { defineRoute, type Route } from "../route.ts";

export interface OperationRouteOptions {
  /** Rejects when the store would refuse a write. */
  readonly ping: () => Promise<void>;
  readonly openApiDocument: () => unknown;
}

const okSchema = z.looseObject({ status: z.literal("ok") });

export function operationRoutes({ ping, openApiDocument }: OperationRouteOptions): readonly Route[] {
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
