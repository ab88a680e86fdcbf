import { PARAMETER_TEXTS } from "@yagate/api-texts/parameter-texts";
import { defined } from "@yagate/lib/objects/defined";
import { changeHintSchema, JSON_LINES_TYPE } from "@yagate/protocol";
import * as z from "zod";
import type { Route } from "../route.ts";
import { describeProperty, describeSchema, isJson } from "./describe-schema.ts";
import { toEventSchema } from "./event-schemas.ts";
import { exampleOf } from "./examples.ts";
import { type Components, type Json, toSchema } from "./json-schema.ts";
import { type ResponseComponents, toProblemResponses } from "./problems.ts";

/** Examples of text bodies, by operation and media type. */
const TEXT_EXAMPLES: Readonly<Record<string, string>> = {
  "getMetrics text/plain": "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1795375171\n",
  "getReceipt text/plain": "The model called lookup_order.\n",
  "getArtifact text/plain": "First line of a long text\n",
  "listAuditEntries application/x-ndjson": '{"id":"aud_01m7yj864ke00brb1mkxjenfhm","action":"agent.updated"}\n',
};

/** The parts of the document that operations share. */
export interface Shared {
  readonly components: Components;
  readonly responses: ResponseComponents;
}

export function toOperation(route: Route, { components, responses }: Shared): Json {
  const body = route.body ?? route.rawBody;
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
  return {
    summary: route.summary,
    ...defined({ description: route.description }),
    operationId: route.name,
    tags: [route.tag],
    security: securityOf(route),
    ...(route.scopes === null ? {} : { "x-yagate-scopes": route.scopes }),
    parameters,
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { "application/json": { schema: toSchema(body, "input", components) } },
          },
        }),
    responses: {
      [route.status]: toSuccess(route, components),
      ...toProblemResponses(route, responses),
    },
  };
}

/** Returns the security alternatives of a route, of which a request must satisfy one. */
function securityOf(route: Route): readonly Json[] {
  if (route.scopes === null) return route.token === "callback" ? [{ callbackToken: [] }] : [];
  return route.token === undefined ? [{ apiKey: [] }] : [{ apiKey: [] }, { executionToken: [] }];
}

function toSuccess(route: Route, components: Components): Json {
  const content = {
    ...(route.response === null
      ? {}
      : { [route.mediaType ?? "application/json"]: toMedia(route.response, components) }),
    ...(route.isJsonLines ? { [JSON_LINES_TYPE]: toMedia(z.string(), {}) } : {}),
    ...(route.isText ? { "text/plain": toMedia(z.string(), {}) } : {}),
    ...(route.isStream === true ? { "text/event-stream": { schema: toEventSchema(components) } } : {}),
    ...(route.isStream === "changes" ? { "text/event-stream": toMedia(changeHintSchema, components) } : {}),
  };
  return {
    description: route.isStream === true ? "The execution's events." : route.summary,
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function toMedia(schema: z.ZodType, components: Components): Json {
  return { schema: toSchema(schema, "output", components) };
}

function pathParameters(route: Route): readonly Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    ...toParameter(route, name, { type: "string" }),
    in: "path",
    required: true,
  }));
}

function queryParameters(route: Route): readonly Json[] {
  if (route.query === undefined) return [];
  const { properties } = z
    .looseObject({ properties: z.record(z.string(), z.looseObject({})) })
    .parse(toSchema(route.query, "input", {}));
  return Object.entries(properties).map(([name, schema]) => ({ ...toParameter(route, name, schema), in: "query" }));
}

/** Converts a schema to a parameter. OpenAPI puts the description of a parameter next to its schema, not inside it. */
function toParameter(route: Route, name: string, schema: Json): Json {
  const { description, ...rest } = describeProperty(schema, `${route.name}.${name}`, PARAMETER_TEXTS);
  return { name, ...defined({ description }), schema: rest };
}

/** Header parameters that OpenAPI describes elsewhere and ignores as parameters. */
const DESCRIBED_ELSEWHERE: ReadonlySet<string> = new Set(["Accept", "Content-Type", "Authorization"]);

function headerParameters(route: Route): readonly Json[] {
  return Object.entries(route.headers ?? {})
    .filter(([name]) => !DESCRIBED_ELSEWHERE.has(name))
    .map(([name, description]) => ({
      ...toParameter(route, name, { type: "string", description }),
      in: "header",
    }));
}

/**
 * Adds descriptions and examples to the bodies of an operation. Call it after all schemas that the bodies refer to have
 * been added to the components.
 */
export function completeBodies({ requestBody, responses }: Json, name: string, components: Components): void {
  const responseBodies = isJson(responses) ? Object.values(responses) : [];
  for (const body of [requestBody, ...responseBodies]) {
    if (!isJson(body) || !isJson(body["content"])) continue;
    for (const [type, media] of Object.entries(body["content"])) {
      if (!isJson(media) || !isJson(media["schema"]) || "example" in media) continue;
      media["schema"] = describeSchema(media["schema"], name);
      media["example"] = TEXT_EXAMPLES[`${name} ${type}`] ?? exampleOf(media["schema"], components);
    }
  }
}
