import { type JsonObject, PRIMITIVE_NAMES, type PrimitiveName } from "@yagate/protocol";
import { BODY_FIELD, HEADERS_FIELD, QUERY_FIELD, URL_FIELD } from "./fields.ts";
import type { Primitive } from "./primitive.ts";

const API_CALL_PROPERTIES: JsonObject = {
  method: { type: "string", enum: ["GET", "POST", "PUT", "DELETE"], description: "HTTP method" },
  url: URL_FIELD,
  credential: {
    type: "string",
    description: "Name of the credential for the request. The gateway adds its value",
  },
  headers: HEADERS_FIELD,
  body: BODY_FIELD,
  query_params: QUERY_FIELD,
};

const apiCall: Primitive = {
  name: "api_call",
  description:
    "Calls an API that needs a credential. Name the credential; the gateway adds its value to the request. Returns " +
    "the HTTP status, the content type and the body.",
  parameters: object(API_CALL_PROPERTIES, ["method", "url", "credential"]),
  // A missing credential has a specific error code, and some models pass null for it.
  accepted: object({ ...API_CALL_PROPERTIES, credential: { type: ["string", "null"] } }, ["method", "url"]),
  destination: "integrations",
  takesCredential: true,
};

const httpGet: Primitive = {
  name: "http_get",
  description:
    "Reads from a URL with GET, without any credential. Returns the HTTP status, the content type and the body.",
  parameters: object({ url: URL_FIELD, headers: HEADERS_FIELD, query_params: QUERY_FIELD }, ["url"]),
  method: "GET",
  sideEffect: "read_only",
  destination: "integrations",
  takesCredential: false,
};

const httpPost: Primitive = {
  name: "http_post",
  description:
    "Sends a body to a URL with POST, without any credential. Returns the HTTP status, the content type and the body.",
  parameters: object({ url: URL_FIELD, headers: HEADERS_FIELD, body: BODY_FIELD, query_params: QUERY_FIELD }, ["url"]),
  method: "POST",
  destination: "integrations",
  takesCredential: false,
};

const webhook: Primitive = {
  name: "webhook",
  description:
    "Posts a message to one of this agent's registered webhooks. Returns the HTTP status, the content type and the body.",
  parameters: object(
    {
      url: { ...URL_FIELD, description: "URL on the host of a registered webhook" },
      headers: HEADERS_FIELD,
      body: BODY_FIELD,
    },
    ["url"],
  ),
  method: "POST",
  destination: "webhooks",
  takesCredential: false,
};

/** The primitives that an agent may list, by name. */
export const PRIMITIVES: ReadonlyMap<PrimitiveName, Primitive> = new Map(
  [apiCall, httpGet, httpPost, webhook].map((primitive) => [primitive.name, primitive]),
);

/** Returns the primitive with this name; undefined if there is none. */
export function primitiveOf(name: string): Primitive | undefined {
  const known = PRIMITIVE_NAMES.find((primitive) => primitive === name);
  return known === undefined ? undefined : PRIMITIVES.get(known);
}

function object(properties: JsonObject, required: string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}
