import { createRedaction } from "@yagate/lib/redaction/redaction";
import { type JsonObject, type OpenApiSourceSettings, type SkippedTool, YagateError } from "@yagate/protocol";
import { convertDocument } from "@yagate/tool-definitions/openapi/convert-document";
import { judgeTools } from "@yagate/tool-sources/offered-tools";
import { compilePublished, planSync } from "@yagate/tool-sources/plan-sync";
import type { KnownTool } from "@yagate/tool-sources/port";
import { describe, expect, it } from "vitest";
import { shownDocument } from "../../src/tool-sources/openapi/document-summary.ts";
import { createReadOpenApi } from "../../src/tool-sources/openapi/read-openapi.ts";
import { merged } from "../../src/tool-sources/source-status.ts";
import { documentOf, operation, SHOP } from "../http/support/document-server.ts";

const SETTINGS: OpenApiSourceSettings = {
  ...{
    kind: "openapi",
    url: "https://api.shop.example/docs/openapi.json",
    documentHash: null,
    server: null,
    auth: null,
  },
  ...{ credential: null, credentials: {}, include: null, exclude: [], defaults: {}, overrides: {}, onChange: "hold" },
  syncIntervalSeconds: 900,
};
const signal = new AbortController().signal;

/** Reads documents one after the other, as the syncs of one source do; those of the first one are accepted. */
function startReading(settings: OpenApiSourceSettings = SETTINGS) {
  let known: readonly KnownTool[] = [];
  let stored: string | null = null;
  let text = "";
  let skipped: readonly SkippedTool[] = [];
  const read = createReadOpenApi({
    store: { documentSummary: async () => stored, document: async () => undefined },
    fetchDocument: async () => ({ bytes: Buffer.from(text), redaction: createRedaction([]) }),
    reader: { import: (document, options) => convertDocument(String(document), { ...options, documents: {} }) },
  });
  return {
    /** Returns the states of the tools. */
    async sync(document: unknown): Promise<Readonly<Record<string, string>>> {
      text = typeof document === "string" ? document : JSON.stringify(document);
      const {
        definitions,
        skippedTools = [],
        documentSummary = "",
      } = await read({ id: "src_1", workspaceId: "ws_1", settings }, { signal });
      const published = compilePublished(definitions, { name: "shop", ...settings });
      const isFirst = stored === null;
      const held = { holdsNew: false, holdsLaxer: true, revoked: new Set<string>() };
      const rules = { onChange: settings.onChange, acceptsNew: isFirst, ...held };
      known = merged(known, planSync(known, published, rules));
      stored = documentSummary;
      skipped = skippedTools;
      const judged = judgeTools(known, { name: "shop", ...settings });
      return Object.fromEntries(judged.map(({ tool, state }) => [tool.name, state]));
    },
    document: () => shownDocument(stored),
    skippedTools: () => skipped,
    definitionOf: (name: string) => known.find((tool) => tool.name === name)?.published?.compiled.definition,
  };
}

const { "/orders/{id}": orderPath, "/orders": ordersPath } = SHOP;
const SCHEMES = { components: { securitySchemes: { shop: { type: "http", scheme: "bearer" } } } };

describe("a change", () => {
  it.each<[string, object, object?]>([
    ["the method", { "/orders/{id}": { delete: orderPath.get } }],
    ["the path", { "/v2/orders/{id}": orderPath }],
    ["the server", { "/orders/{id}": { get: { ...orderPath.get, servers: [{ url: "/v3" }] } } }],
    ["the server of the document", { "/orders/{id}": orderPath }, { servers: [{ url: "https://evil.example" }] }],
    [
      "a parameter's schema",
      {
        "/orders/{id}": {
          get: operation("getOrder", { parameters: [{ ...idIn("path"), schema: { type: "integer" } }] }),
        },
      },
    ],
    [
      "a parameter's description",
      { "/orders/{id}": { get: operation("getOrder", { parameters: [{ ...idIn("path"), description: "Any." }] }) } },
    ],
    ["a text", { "/orders/{id}": { get: { ...orderPath.get, summary: "Other." } } }],
    ["a tag", { "/orders/{id}": { get: { ...orderPath.get, tags: ["x"] } } }],
    ["a deprecation", { "/orders/{id}": { get: { ...orderPath.get, deprecated: true } } }],
    ["the security", { "/orders/{id}": { get: { ...orderPath.get, security: [{ shop: [] }] } } }],
    ["the security of the document", { "/orders/{id}": orderPath }, { security: [{ shop: ["read"] }] }],
  ])("of %s holds the operation", async (_what, paths, rest = {}) => {
    const { sync } = startReading();
    await sync(documentOf({ "/orders/{id}": orderPath }, SCHEMES));
    expect(await sync(documentOf(paths, { ...SCHEMES, ...rest }))).toEqual({ get_order: "changed" });
  });

  it("of a parameter's place holds the operation", async () => {
    const { sync } = startReading();
    const find = (place: string) =>
      documentOf({ "/orders": { get: operation("findOrder", { parameters: [{ ...idIn(place), required: false }] }) } });
    await sync(find("query"));
    expect(await sync(find("header"))).toEqual({ find_order: "changed" });
  });

  it("that means nothing leaves the operation alone", async () => {
    const { sync } = startReading();
    const parameters = [idIn("query"), { ...idIn("query"), name: "a" }];
    const find = (list: readonly object[]) => ({ "/find": { get: operation("find", { parameters: list }) } });
    await sync(documentOf({ ...find(parameters), ...SHOP }));
    const { "/orders": orders, "/orders/{id}": order } = SHOP;
    const sorted = { "/orders": { post: orders.post, get: orders.get }, "/orders/{id}": order };
    const again = await sync(documentOf({ ...find(parameters.toReversed()), ...sorted }, { tags: [{ name: "x" }] }));
    expect(new Set(Object.values(again))).toEqual(new Set(["accepted"]));
  });
});

describe("the name of an operation", () => {
  it("stays when its id changes, and when its path changes after that", async () => {
    const { sync } = startReading();
    await sync(documentOf(SHOP));
    const get = { ...orderPath.get, operationId: "readOrder" };
    const renamed = { ...SHOP, "/orders/{id}": { get: { ...get, summary: orderPath.get.summary } } };
    expect(await sync(documentOf(renamed))).toEqual({
      create_order: "accepted",
      get_order: "accepted",
      list_orders: "accepted",
    });
    const moved = { "/orders": ordersPath, "/shop/orders/{id}": renamed["/orders/{id}"] };
    expect(await sync(documentOf(moved))).toMatchObject({ get_order: "changed" });
    expect(await sync(documentOf(renamed))).toMatchObject({ get_order: "accepted" });
  });

  it("stays when the operation was missing for a while", async () => {
    const { sync } = startReading();
    await sync(documentOf(SHOP));
    expect(await sync(documentOf({ "/orders": ordersPath }))).toMatchObject({ get_order: "removed" });
    expect(await sync(documentOf(SHOP))).toMatchObject({ get_order: "accepted" });
  });

  it("stays without an operationId, by method and path", async () => {
    const { sync } = startReading();
    const paths = { "/orders/{id}": { get: { ...orderPath.get, operationId: undefined } } };
    expect(await sync(documentOf(paths))).toEqual({ get_orders_id: "accepted" });
    const named = { "/orders/{id}": { get: { ...orderPath.get, operationId: "getOrder" } } };
    expect(await sync(documentOf(named))).toEqual({ get_orders_id: "accepted" });
  });

  it("is not exchanged with that of a similar operation", async () => {
    const [first, second] = [{ "/a": { get: operation("getUser") } }, { "/b": { get: operation("get_user") } }];
    const { sync, definitionOf } = startReading();
    expect(await sync(documentOf({ ...first, ...second }))).toEqual({ get_user: "accepted", get_user_2: "accepted" });
    expect(await sync(documentOf({ ...second, ...first }))).toEqual({ get_user: "accepted", get_user_2: "accepted" });
    expect(await sync(documentOf(second))).toEqual({ get_user: "removed", get_user_2: "accepted" });
    expect(definitionOf("get_user_2")).toMatchObject({ rest: { url: "https://api.shop.example/v1/b" } });
  });

  it("is never that of an operation that was removed", async () => {
    const { sync } = startReading();
    await sync(documentOf({ "/a": { get: operation("getUser") } }));
    expect(await sync(documentOf({ "/b": { get: operation("get_user") } }))).toEqual({
      get_user: "removed",
      get_user_2: "new",
    });
  });

  it("does not depend on an operationId that the document contains twice", async () => {
    const paths = { "/a": { get: operation("read") }, "/b": { get: operation("read") } };
    const { sync, definitionOf } = startReading();
    expect(await sync(documentOf(paths))).toEqual({ read: "accepted", read_2: "accepted" });
    const { "/a": a, "/b": b } = paths;
    expect(await sync(documentOf({ "/b": b, "/a": a }))).toEqual({ read: "accepted", read_2: "accepted" });
    expect(definitionOf("read")).toMatchObject({ rest: { url: "https://api.shop.example/v1/a" } });
  });
});

describe("a tool", () => {
  it("has the namespace of its source, and what the settings add", async () => {
    const { sync, definitionOf } = startReading({
      ...SETTINGS,
      ...{ credential: "SHOP_KEY", credentials: { shop: "ORDERS_KEY" } },
      defaults: { timeout: 5_000, sideEffect: "idempotent_write" },
      overrides: { get_order: { approval: "always" } },
    });
    const get = operation("getOrder", { ...orderPath.get, security: [{ shop: [] }] });
    await sync(documentOf({ ...SHOP, "/orders/{id}": { get } }, SCHEMES));
    expect(definitionOf("get_order")).toMatchObject({
      rest: {
        ...{ name: "shop.get_order", credential: "ORDERS_KEY", approval: "always", timeout: 5_000 },
        sideEffect: "idempotent_write",
      },
    });
    expect(definitionOf("create_order")).toMatchObject({
      rest: { credential: "SHOP_KEY", sideEffect: "non_idempotent_write" },
    });
  });

  it.each<[string, OpenApiSourceSettings["server"], object, string]>([
    ["the origin of the document", null, { servers: [{ url: "/v1" }] }, "https://api.shop.example/v1/orders"],
    ["the origin of a document without servers", null, { servers: [] }, "https://api.shop.example/orders"],
    ["the server of the source", "https://b.example/x", { servers: [] }, "https://b.example/x/orders"],
  ])("has a URL relative to %s", async (_what, server, rest, url) => {
    const { sync, definitionOf } = startReading({ ...SETTINGS, server });
    await sync(documentOf({ "/orders": { get: ordersPath.get } }, rest));
    expect(definitionOf("list_orders")).toMatchObject({ rest: { url } });
  });
});

describe("what people cannot see", () => {
  it("is removed from names and texts, and reported", async () => {
    const { sync, document, definitionOf } = startReading();
    const hidden = "\u{e0077}\u{e0069}\u{e0070}\u{e0065}";
    const states = await sync(
      documentOf({ "/a": { get: operation(`read${hidden}`, { summary: `Reads.${hidden}` }) } }),
    );
    expect(states).toEqual({ read: "accepted" });
    expect(definitionOf("read")).toMatchObject({ rest: { alias: "Reads.", description: "Reads." } });
    expect(document()?.removed).toMatchObject([
      { path: "/paths/~1a/get/operationId", codePoints: expect.arrayContaining(["U+E0077"]), count: 4 },
      { path: "/paths/~1a/get/summary", count: 4 },
    ]);
  });
});

describe("an operation that cannot become a tool", () => {
  const bodyOf = (schema: JsonObject) => ({
    post: operation("bad", { requestBody: { required: true, content: { "application/json": { schema } } } }),
  });

  it.each<[string, object, RegExp]>([
    ["a reference to another host", { get: { $ref: "https://evil.example/op.json" } }, /evil\.example/],
    ["a reference to a file", { get: { $ref: "file:///etc/passwd#/a" } }, /passwd/],
    ["a reference to nothing", { get: { $ref: "#/components/none" } }, /components\/none|reference/],
    [
      "a schema of more than 64 KiB",
      bodyOf({
        type: "object",
        properties: { a: { enum: Array.from({ length: 700 }, (_, index) => `${index}${"x".repeat(100)}`) } },
      }),
      /65536 bytes/,
    ],
    [
      "a body of another type",
      { post: operation("bad", { requestBody: { required: true, content: { "image/png": {} } } }) },
      /JSON/,
    ],
  ])("because of %s is left out and reported", async (_what, path, reason) => {
    const { sync, document, skippedTools } = startReading();
    expect(await sync(documentOf({ "/bad": path, ...SHOP }))).toEqual({
      ...{ create_order: "accepted", get_order: "accepted", list_orders: "accepted" },
    });
    expect(document()).toMatchObject({ skippedCount: 1 });
    expect(skippedTools()).toMatchObject([{ reason: expect.stringMatching(reason) }]);
  });

  it("is reported up to a number", async () => {
    const { sync, document, skippedTools } = startReading();
    const paths = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`/bad${index}`, { get: { $ref: "#/components/none" } }]),
    );
    await sync(documentOf({ ...paths, ...SHOP }));
    expect(document()).toMatchObject({ skippedCount: 150 });
    expect(skippedTools()).toHaveLength(100);
  });

  it("fails the sync if no other is left", async () => {
    const { sync } = startReading();
    await expect(sync(documentOf({ "/bad": { get: { $ref: "#/components/none" } } }))).rejects.toMatchObject({
      code: "MANIFEST_INVALID",
    });
  });
});

describe("a document", () => {
  const loop = documentOf(
    {
      "/a": {
        post: operation("save", {
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } },
          },
        }),
      },
    },
    {
      components: {
        schemas: {
          Node: {
            type: "object",
            properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/Node" } },
          },
        },
      },
    },
  );

  it("with references in a circle is read up to the second level", async () => {
    const { sync, definitionOf } = startReading();
    expect(await sync(loop)).toEqual({ save: "accepted" });
    expect(JSON.stringify(definitionOf("save"))).not.toContain("$ref");
  });

  it("with deep schemas is read up to the eighth level", async () => {
    const deep = (levels: number): JsonObject =>
      levels === 0 ? { type: "string" } : { type: "object", properties: { [`a${levels}`]: deep(levels - 1) } };
    const content = { "application/json": { schema: deep(33) } };
    const { sync, definitionOf } = startReading();
    await sync(documentOf({ "/a": { post: operation("save", { requestBody: { required: true, content } }) } }));
    const text = JSON.stringify(definitionOf("save"));
    expect(text).toContain('"a26"');
    expect(text).not.toContain('"a20"');
  });

  it("with long texts is read up to their limit", async () => {
    const { sync, definitionOf } = startReading();
    await sync(documentOf({ "/a": { get: operation("read", { summary: "Reads.", description: "x".repeat(9_000) }) } }));
    const definition = definitionOf("read");
    const { description = "" } = definition !== undefined && "rest" in definition ? definition.rest : {};
    expect(description).toHaveLength(4_000);
  });

  const pathsOf = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`/route${index}`, { get: { responses: {} } }]));

  it("with more than 2,000 operations is read if the source excludes enough of them", async () => {
    const { sync } = startReading({ ...SETTINGS, exclude: ["get_route2*"] });
    const states = await sync(documentOf(pathsOf(2_001)));
    expect(Object.keys(states)).toHaveLength(1_889);
    expect(states).not.toHaveProperty("get_route2");
  });

  it.each<[string, unknown, RegExp]>([
    ["text that is no document", "tools", /OpenAPI document/],
    ["Swagger 2.0", { swagger: "2.0", paths: {} }, /Swagger 2\.0/],
    ["a document without operations", documentOf({}), /at least one operation/],
    ["2,001 operations", documentOf(pathsOf(2_001)), /at most 2000 operations for one source, not 2001/],
    ["4,001 operations", documentOf(pathsOf(4_001)), /at most 4000 in one import, not 4001: split the document/],
    ["101 levels", `{"openapi":"3.1.0","paths":{},"x":${"[".repeat(101)}${"]".repeat(101)}}`, /levels/],
    ["YAML whose aliases multiply", billionLaughs(), /aliases|values/],
  ])("fails the sync: %s", async (_what, document, message) => {
    const { sync } = startReading();
    await expect(sync(document)).rejects.toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringMatching(message),
    });
  });
});

describe("a document that takes too long", () => {
  it.each([
    ["fails the sync as a source that does not respond", "INVALID_REQUEST", "SOURCE_UNREACHABLE"],
    ["is not the fault of the source if it only waited for other documents", "UNAVAILABLE", "UNAVAILABLE"],
  ] as const)("%s", async (_what, failure, code) => {
    const ended = new AbortController();
    const read = createReadOpenApi({
      store: { documentSummary: async () => null, document: async () => undefined },
      fetchDocument: async () => ({ bytes: Buffer.from("{}"), redaction: createRedaction([]) }),
      reader: {
        async import() {
          ended.abort();
          throw new YagateError(failure, "expected a document that can be processed in time");
        },
      },
    });
    const source = { id: "src_1", workspaceId: "ws_1", settings: SETTINGS };
    await expect(read(source, { signal: ended.signal })).rejects.toMatchObject({ code });
  });
});

function idIn(place: string) {
  return { name: "id", in: place, required: true, schema: { type: "string" } };
}

function billionLaughs(): string {
  const lines = Array.from({ length: 9 }, (_, index) => {
    const before = index === 0 ? '"lol"' : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array.from({ length: 9 }, () => before).join(", ")}]`;
  });
  return ["openapi: 3.1.0", "paths: {}", ...lines].join("\n");
}
