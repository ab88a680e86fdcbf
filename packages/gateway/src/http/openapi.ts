import { canonicalJson, type ErrorCode, JSON_LINES_TYPE, problemSchema } from "@yagate/protocol";
import * as z from "zod";
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
  toSchema(problemSchema, "output", components);
  return {
    openapi: "3.1.0",
    info: { title: "Yagate", version, description: "Runs LLM agents whose tools are signed webhooks." },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "yk_…" },
        executionToken: { type: "http", scheme: "bearer", bearerFormat: "yt_…" },
        callbackToken: { type: "http", scheme: "bearer", bearerFormat: "yc_…" },
      },
    },
  };
}

function toOperation(route: Route, components: Json): Json {
  const body = route.body ?? route.rawBody;
  return {
    summary: route.summary,
    operationId: route.name,
    tags: [route.tag],
    security: securityOf(route),
    ...(route.scopes === null ? {} : { "x-yagate-scopes": route.scopes }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { "application/json": { schema: toSchema(body, "input", components) } },
          },
        }),
    responses: {
      ...toAnswers(route, components),
      default: {
        description: `A problem; its code is one of ${API_CODES.join(", ")}`,
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** Any one of these lets in. */
function securityOf(route: Route): readonly Json[] {
  if (route.scopes === null) return route.token === "callback" ? [{ callbackToken: [] }] : [];
  return route.token === undefined ? [{ apiKey: [] }] : [{ apiKey: [] }, { executionToken: [] }];
}

function toAnswers(route: Route, components: Json): Json {
  const { summary: description } = route;
  const content = {
    ...(route.response === null
      ? {}
      : { [route.mediaType ?? "application/json"]: toMedia(route.response, components) }),
    ...(route.isJsonLines ? { [JSON_LINES_TYPE]: toMedia(z.string(), {}) } : {}),
    ...(route.isText ? { "text/plain": toMedia(z.string(), {}) } : {}),
  };
  const stream = { description: "The execution's events", content: { "text/event-stream": toMedia(z.string(), {}) } };
  return {
    [route.status]: { description, ...(Object.keys(content).length === 0 ? {} : { content }) },
    // A stream is always 200, as browsers want it, whatever the answer without one is.
    ...(route.isStream ? { 200: stream } : {}),
  };
}

function toMedia(schema: z.ZodType, components: Json): Json {
  return { schema: toSchema(schema, "output", components) };
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

/** Without those that OpenAPI says elsewhere and would pass over here. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(["Accept", "Content-Type", "Authorization"]);

function headerParameters(route: Route): readonly Json[] {
  return Object.entries(route.headers ?? {})
    .filter(([name]) => !SAID_ELSEWHERE.has(name))
    .map(([name, description]) => ({ name, in: "header", description, schema: { type: "string" } }));
}

/** The schema, with everything that has a name moved to the components. */
function toSchema(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
  for (const [name, definition] of Object.entries($defs ?? {})) add(components, name, definition);
  const { id } = own;
  if (typeof id !== "string") return rewrite(own);
  add(components, id, own);
  return { $ref: `#/components/schemas/${id}` };
}

/** @throws Error when two schemas share a name: one of them would be documented as the other. */
function add(components: Json, name: string, definition: unknown): void {
  const { id: _id, ...component } = rewrite(definition);
  const known = components[name];
  if (known !== undefined && canonicalJson(known) !== canonicalJson(component)) {
    throw new Error(`expected one schema of the name ${name}, and there are two`);
  }
  components[name] = component;
}

function rewrite(value: unknown): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

const API_CODES = [
  "MALFORMED_HEADERS",
  "MALFORMED_JSON",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "GONE",
  "BODY_TOO_LARGE",
  "INVALID_REQUEST",
  "UNAVAILABLE",
  "INTERNAL",
] as const satisfies readonly ErrorCode[];
