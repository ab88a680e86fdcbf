import { problemSchema } from "@yagate/protocol";
import type { Route } from "../route.ts";
import { describeComponents, isJson } from "./describe-schema.ts";
import { type Components, type Json, toSchema } from "./json-schema.ts";
import { completeBodies, toOperation } from "./operation.ts";
import type { ResponseComponents } from "./problems.ts";
import { API_TAGS } from "./tags.ts";

const DESCRIPTION = `Runs LLM agents whose tools are signed webhooks.

Send an API key as \`Authorization: Bearer yk_…\`. Responses and events may gain fields and values in newer versions; \
requests with unknown fields are refused. Every failed request is answered with \`application/problem+json\` (RFC 9457): \
its \`code\` says what went wrong, and \`requestId\` is in the gateway's log. An unknown path is \
\`NOT_FOUND\`, and a method that a path does not have is \`METHOD_NOT_ALLOWED\` with the header \`Allow\`.`;

/** The OpenAPI 3.1 document of these routes, made from the schemas that check their requests. */
export function createOpenApiDocument(routes: readonly Route[], version: string): Json {
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
          description: "Names the request in the gateway's log.",
          schema: { type: "string" },
          example: "01a1b2c3-0000-7000-8000-000000000000",
        },
      },
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "yk_…",
          description: "An API key. `x-yagate-scopes` of an operation lists the scopes of which the key needs one.",
        },
        executionToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "yt_…",
          description: "A short-lived token of one execution, for browsers.",
        },
        callbackToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "yc_…",
          description: "The token that an asynchronous tool call carries, for its result.",
        },
      },
    },
  };
}

/** `/v1/agents/:id` as `/v1/agents/{id}`. */
function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
