import type { JsonObject } from "@yagate/protocol";

export const URL_FIELD: JsonObject = {
  type: "string",
  description: "Absolute https URL, on one of the approved domains",
};

export const HEADERS_FIELD: JsonObject = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Request headers by name. Never put keys, tokens or passwords here",
};

export const BODY_FIELD: JsonObject = {
  anyOf: [{ type: "object" }, { type: "array", items: {} }, { type: "string" }],
  description: "Request body: an object or array is sent as JSON, a string as it is",
};

export const QUERY_FIELD: JsonObject = {
  type: "object",
  additionalProperties: {
    anyOf: [
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] } },
    ],
  },
  description: "Query parameters, added to those of the URL; a list repeats its parameter",
};
