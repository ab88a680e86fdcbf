import { problemSchema } from "@yagate/protocol";
import type { Route } from "../route.ts";
import { describeComponents, isJson } from "./describe-schema.ts";
import { type Components, type Json, toSchema } from "./json-schema.ts";
import { completeBodies, toOperation } from "./operation.ts";
import type { ResponseComponents } from "./problems.ts";
import { API_TAGS } from "./tags.ts";

const DESCRIPTION = `Runs LLM agents whose tools are signed webhooks.

Send an API key as \`Authorization: Bearer yk_…\`. Newer versions may add fields and values to responses and events; \
the gateway rejects requests with unknown fields. The response to a failed request is \`application/problem+json\` \
(RFC 9457): \`code\` identifies the problem, and \`requestId\` identifies the request in the gateway's log. The \
response for an unknown path is \`NOT_FOUND\`. The response for an unsupported method is \`METHOD_NOT_ALLOWED\`, with \
the supported methods in the \`Allow\` header.`;

/** Creates the OpenAPI 3.1 document for these routes from the schemas that validate their requests. */
export function createOpenApiDocument(served: readonly Route[], version: string): Json {
  const routes = served.filter(({ isUndocumented }) => isUndocumented !== true);
  const components: Components = {};
  const responses: ResponseComponents = {};
  const paths: Record<string, Json> = {};
  toSchema(problemSchema, "output", components);
  for (const route of routes) {
    const path = toTemplate(route.path);
    paths[path] = { ...paths[path], [route.method]: toOperation(route, { components, responses }) };
  }
  describeComponents(components);
  for (const { path, method, name } of routes) {
    const operation = paths[toTemplate(path)]?.[method];
    if (isJson(operation)) completeBodies(operation, name, components);
  }
  const used = new Set(routes.map(({ tag }) => tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Yagate",
      version,
      description: DESCRIPTION,
      contact: { name: "The operator of this gateway" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The gateway that serves this document" }],
    tags: API_TAGS.filter(({ name }) => used.has(name)),
    paths,
    components: {
      schemas: components,
      responses,
      headers: {
        RequestId: {
          description: "Identifies the request in the gateway's log.",
          schema: { type: "string" },
          example: "01a1b2c3-0000-7000-8000-000000000000",
        },
      },
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "yk_…",
          description: "An API key with one of the scopes that `x-yagate-scopes` lists for the operation.",
        },
        executionToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "yt_…",
          description: "A short-lived token for one execution, intended for browsers.",
        },
        callbackToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "yc_…",
          description:
            "The token from an asynchronous tool call. It authenticates the callback that delivers the outcome.",
        },
      },
    },
  };
}

/** Converts `/v1/agents/:id` to `/v1/agents/{id}`. */
function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
