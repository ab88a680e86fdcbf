import { ERROR_TABLE, problemSchema } from "@yagate/protocol";
import { z } from "zod";
import type { Route } from "./route.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of these routes, made from the schemas that check their requests. */
export function createOpenApiDocument(routes: readonly Route[], version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: toOperation(route, components) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Yagate", version, description: "Runs LLM agents whose tools are signed webhooks." },
    paths,
    components: {
      schemas: { ...components, Problem: toSchema(problemSchema, "output", components) },
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", bearerFormat: "yk_…" } },
    },
  };
}

function toOperation(route: Route, components: Json): Json {
  const content = route.response === null ? undefined : { schema: toSchema(route.response, "output", components) };
  const answers: Json = content === undefined ? {} : { "application/json": content };
  if (route.isStream) answers["text/event-stream"] = { schema: { type: "string" } };
  return {
    summary: route.summary,
    operationId: operationId(route),
    tags: [route.tag],
    security: route.scopes === null ? [] : [{ apiKey: [] }],
    ...(route.scopes === null ? {} : { "x-yagate-scopes": route.scopes }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { "application/json": { schema: toSchema(route.body, "input", components) } },
          },
        }),
    responses: {
      [route.status]: {
        description: route.summary,
        ...(Object.keys(answers).length === 0 ? {} : { content: answers }),
      },
      default: {
        description: `A problem; its code is one of ${apiCodes().join(", ")}`,
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function operationId({ method, path }: Route): string {
  const words = path.replace(/^\/v1/, "").replaceAll(/[:.]/g, "").split(/[/-]/).filter(Boolean);
  return [method, ...words]
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join("");
}

function pathParameters(route: Route): readonly Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(route: Route): readonly Json[] {
  if (route.query === undefined) return [];
  const schema = z.toJSONSchema(route.query, { io: "input", unrepresentable: "any" });
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({ name, in: "query", schema: property }));
}

function headerParameters(route: Route): readonly Json[] {
  return Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
}

/** The schema, with everything that has a name moved to the components. */
function toSchema(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = rewrite(definition);
  const { id, ...body } = rewrite(own);
  if (typeof id !== "string") return body;
  components[id] = body;
  return { $ref: `#/components/schemas/${id}` };
}

function rewrite(value: unknown): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function apiCodes(): readonly string[] {
  return Object.keys(ERROR_TABLE).filter((code) =>
    [
      "MALFORMED_JSON",
      "UNAUTHENTICATED",
      "FORBIDDEN",
      "NOT_FOUND",
      "CONFLICT",
      "BODY_TOO_LARGE",
      "INVALID_REQUEST",
      "UNAVAILABLE",
      "INTERNAL",
    ].includes(code),
  );
}
