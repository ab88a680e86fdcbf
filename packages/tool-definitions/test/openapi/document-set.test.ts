import { describe, expect, it } from "vitest";
import { convertDocument, listDocument } from "../../src/openapi/convert-document.ts";

const main = `
openapi: 3.0.0
info: { title: Split, version: '1' }
servers: [{ url: https://api.example.com }]
paths:
  /orders:
    get: { $ref: 'resources/orders/list.yml' }
    post: { $ref: './resources/orders/create.yml' }
  /parcels: { $ref: 'https://shared.example.com/parcels.json#/paths/~1parcels' }
  /gone:
    get: { $ref: 'resources/gone.yml' }
  /broken:
    get: { $ref: 'resources/broken.yml' }
components:
  schemas: { Sku: { type: string, maxLength: 8 } }
`;
const documents = {
  "resources/orders/list.yml": `
operationId: orders_list
tags: [orders]
parameters: [{ $ref: 'parameters.yml#/limit' }]
responses: {}`,
  "resources/orders/parameters.yml": "limit: { name: limit, in: query, schema: { type: integer } }",
  "resources/orders/create.yml": `
operationId: orders_create
requestBody:
  required: true
  content: { application/json: { schema: { $ref: '../models/order.json' } } }
responses: {}`,
  "./resources/models/order.json": JSON.stringify({
    type: "object",
    required: ["sku"],
    properties: {
      sku: { $ref: "../../openapi.yaml#/components/schemas/Sku" },
      gift: { $ref: "order.json#/definitions/gift" },
      parts: { type: "array", items: { $ref: "order.json" } },
    },
    definitions: { gift: { type: "boolean", description: "Wrap\u200b it." } },
  }),
  "https://shared.example.com/parcels.json": JSON.stringify({
    paths: { "/parcels": { get: { parameters: [{ $ref: "./q.json" }], responses: {} } } },
  }),
  "https://shared.example.com/q.json": JSON.stringify({ name: "q", in: "query", schema: { type: "string" } }),
  "resources/broken.yml": "a: [1",
};

describe("a document whose parts stand in others", () => {
  it("is read with those that come along, and the rest is skipped by name", async () => {
    const { drafts, skipped, removed } = await convertDocument(main, { documents, documentName: "openapi.yaml" });
    expect(drafts.map(({ definition }) => [definition.name, definition.parameters])).toEqual([
      ["orders_list", [{ name: "limit", in: "query", type: "integer" }]],
      [
        "orders_create",
        [
          { name: "sku", in: "body", type: "string", required: true, schema: { maxLength: 8 } },
          { name: "gift", in: "body", type: "boolean", description: "Wrap it." },
          { name: "parts", in: "body", type: "array", schema: { items: expect.any(Object) } },
        ],
      ],
      ["get_parcels", [{ name: "q", in: "query", type: "string" }]],
    ]);
    expect(skipped).toEqual([
      {
        operation: "GET /gone",
        path: "/paths/~1gone/get",
        reason: 'expected "resources/gone.yml" in documents: include it, or bundle the document first',
      },
      {
        operation: "GET /broken",
        path: "/paths/~1broken/get",
        reason: '"resources/broken.yml" can\'t be read: expected a document that is valid JSON or YAML',
      },
    ]);
    expect(removed).toEqual([
      { path: "resources/models/order.json#/definitions/gift/description", codePoints: ["U+200B"], count: 1 },
    ]);
  });

  it("lists the first 200 places with removed characters", async () => {
    const tags = Array.from({ length: 201 }, (_, index) => `{ name: "tag\\u200b${index}" }`);
    const { removed } = await convertDocument(`${main}tags: [${tags.join(", ")}]\n`, {});
    const paths = Array.from({ length: 200 }, (_, index) => `/tags/${index}/name`);
    expect(removed.map(({ path }) => path)).toEqual(paths);
  });

  it("makes no draft of an operation that is nothing but a reference to elsewhere", async () => {
    const { drafts, skipped } = await convertDocument(main, {});
    expect(drafts).toEqual([]);
    expect(skipped.map(({ operation }) => operation)).toEqual([
      "GET /orders",
      "POST /orders",
      "/parcels",
      "GET /gone",
      "GET /broken",
    ]);
  });

  it("says what a tag or a path leads to that can't be read", async () => {
    for (const selection of [{ tags: ["orders"] }, { paths: ["/orders"] }, { operations: ["GET /orders"] }]) {
      const { drafts, skipped } = await convertDocument(main, selection);
      expect([drafts, skipped.length]).toEqual([[], 5]);
    }
  });
});

describe("a selection of operations", () => {
  const of = (tags: readonly string[]) => ({ get: { tags, responses: {} } });
  const text = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/a": of(["one"]), "/a/{id}/b": of(["one", "two"]), "/c": of([]), "/c/a": of(["two"]) },
  });
  const routesOf = (selection: object) => listDocument(text, selection).operations.map(({ operation }) => operation);

  it.each<[string, object, readonly string[]]>([
    ["nothing", {}, ["GET /a", "GET /a/{id}/b", "GET /c", "GET /c/a"]],
    ["a tag", { tags: ["two"] }, ["GET /a/{id}/b", "GET /c/a"]],
    ["two tags", { tags: ["one", "two"] }, ["GET /a", "GET /a/{id}/b", "GET /c/a"]],
    ["a path", { paths: ["/a"] }, ["GET /a"]],
    ["what is below a path", { paths: ["/a/*"] }, ["GET /a/{id}/b"]],
    ["the ends of paths", { paths: ["*/b", "/*/a"] }, ["GET /a/{id}/b", "GET /c/a"]],
    ["any part of a path", { paths: ["/a*{id}*b"] }, ["GET /a/{id}/b"]],
    ["a tag and a path", { tags: ["two"], paths: ["/c*"] }, ["GET /c/a"]],
    ["a list and a tag", { operations: ["get /a", "GET /c"], tags: ["one"] }, ["GET /a"]],
  ])("by %s", (_by, selection, operations) => {
    expect(routesOf(selection)).toEqual(operations);
  });

  it.each<[object, RegExp]>([
    [{ tags: ["one", "three"] }, /^tags: expected tags of the document; it does not contain "three"$/],
    [{ paths: ["/d*"] }, /^paths: expected paths of the document; it does not contain "\/d\*"$/],
    [{ operations: ["GET /d"] }, /^operations: expected operations of the document; it does not contain "GET \/d"$/],
    [{ tags: ["3", "4", "5", "6", "7"] }, / it does not contain "3", "4", "5", "6", "7"$/],
    [{ tags: ["3", "4", "5", "6", "7", "8"] }, / it does not contain "3", "4", "5", "6", "7" and 1 more$/],
  ])("refuses what the document has not: %j", (selection, message) => {
    expect(() => routesOf(selection)).toThrow(message);
  });
});
