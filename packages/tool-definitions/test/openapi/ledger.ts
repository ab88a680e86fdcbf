const ok = { responses: { "200": { description: "Done" } } };

/** A ledger in the words of OpenAPI 3.1, with operations that nothing can be made of. */
export const LEDGER = {
  openapi: "3.1.0",
  info: { title: "Ledger", version: "3" },
  servers: [{ url: "/v1" }],
  security: [{ cookie: [] }, { signed: [], partner: [] }],
  paths: {
    "/accounts": {
      get: {
        operationId: "accounts/list",
        parameters: [
          { name: "X-Api-Version", in: "header", required: true, schema: { const: "3" } },
          { name: "key", in: "query", schema: { type: "string" } },
          { name: "when", in: "query", content: { "application/json": { schema: { type: "object" } } } },
          { name: "Host", in: "header", schema: { type: "string" } },
        ],
        ...ok,
      },
    },
    "/accounts/{account-id}/entries": {
      parameters: [{ name: "account-id", in: "path", required: true, schema: { $ref: "#/components/schemas/Id" } }],
      get: { operationId: "accounts/list", ...ok },
      post: {
        parameters: [{ name: "Idempotency-Key", in: "header", schema: { type: ["string", "null"] } }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  amount: { type: "integer" },
                  "account-id": { type: "string" },
                  "value date": { type: "string", format: "date", pattern: "(?<year>\\d{4})(?=-)" },
                  ["__proto__"]: { type: "string" },
                  kind: { type: ["string", "integer"], enum: ["a", 1] },
                },
                required: ["amount", "account-id"],
                oneOf: [
                  { properties: { iban: { type: "string" } }, required: ["iban"] },
                  { $ref: "#/components/schemas/Nothing" },
                ],
              },
            },
          },
        },
        ...ok,
      },
    },
    "/2fa": { servers: [{ url: "https://codes.example.net/" }], get: { operationId: "2fa", security: [{}], ...ok } },
    "/remote": { $ref: "https://example.com/openapi.json#/paths/~1remote" },
    "/circle": { get: { parameters: [{ $ref: "#/components/parameters/A" }], ...ok } },
    "/missing": { get: { parameters: [{ $ref: "#/components/parameters/Nobody" }], ...ok } },
    "/list": {
      post: {
        requestBody: { required: true, content: { "application/json": { schema: { type: "array", items: {} } } } },
        ...ok,
      },
    },
    "/tree": {
      get: { parameters: [{ name: "path", in: "query", required: true, schema: { type: "object" } }], ...ok },
    },
    "/matrix/{id}": {
      get: { parameters: [{ name: "id", in: "path", required: true, style: "matrix", schema: {} }], ...ok },
    },
    "/trace": { trace: ok },
  },
  components: {
    parameters: { A: { $ref: "#/components/parameters/B" }, B: { $ref: "#/components/parameters/A" } },
    schemas: { Id: { type: "string", minLength: 1 }, Nothing: { type: "object" } },
    securitySchemes: {
      cookie: { type: "apiKey", in: "cookie", name: "session" },
      signed: { type: "apiKey", in: "query", name: "key" },
      partner: { type: "apiKey", in: "header", name: "X-Partner" },
    },
  },
};
