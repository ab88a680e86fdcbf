import { describe, expect, it } from "vitest";
import { convertDocument } from "../../src/openapi/convert-document.ts";
import { createOpenApiReader, openApiReader } from "../../src/openapi/import-openapi.ts";
import { OPENAPI_LIMITS, type OpenApiImportOptions } from "../../src/openapi/openapi-import.ts";
import { PET_SHOP } from "./pet-shop.ts";

const head = { openapi: "3.1.0", info: { title: "t", version: "1" }, servers: [{ url: "https://api.example.com" }] };
/** What the thread does, without one. */
const convert = async (document: unknown, options: OpenApiImportOptions = {}) =>
  convertDocument(typeof document === "string" ? document : (JSON.stringify(document) ?? ""), options);
const refused = (message: RegExp) =>
  expect.objectContaining({ code: "INVALID_REQUEST", message: expect.stringMatching(message) });

const deep = (levels: number) => `{"openapi":"3.1.0","paths":${'{"a":'.repeat(levels)}1${"}".repeat(levels + 1)}`;
const circle: Record<string, unknown> = { ...head, paths: {} };
circle["x-self"] = circle;

/** Nine lists of nine, each of the one before: 9^9 values once written out. */
const LAUGHS = ["a0: &a0 [lol]"]
  .concat(Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`))
  .join("\n");

describe("an import refuses", () => {
  it.each<[string, unknown, RegExp]>([
    ["text that is nothing", "{ not json", /valid JSON or YAML/],
    ["broken YAML", "a: [1, 2", /valid JSON or YAML/],
    ["plain text", "hello", /an object with openapi and paths/],
    ["nothing at all", undefined, /an object with openapi and paths/],
    ["a list", [], /an object with openapi and paths/],
    ["JSON of another kind", { name: "package" }, /^\/openapi: expected an OpenAPI document/],
    ["Swagger 2.0", { swagger: "2.0", paths: {} }, /^\/swagger: .*not Swagger 2\.0/],
    ["a version to come", { ...head, openapi: "4.0.0", paths: {} }, /^\/openapi: expected version 3\.0 or 3\.1/],
    ["a document without paths", head, /^\/paths: expected an object/],
    ["101 levels", deep(101), /^\/paths(\/a)+: expected at most 100 levels/],
    ["5 000 000 lists in each other", "[".repeat(5_000_000), /^expected a document of at most 1000000 values/],
    ["201 levels", deep(201), /^expected at most 100 levels/],
    ["5 000 000 objects", `[${"{},".repeat(5_000_000)}{}]`, /^expected a document of at most 1000000 values/],
    ["YAML over its limit", `a: ${"b".repeat(OPENAPI_LIMITS.maxYamlCharacters)}`, /characters of YAML/],
    ["YAML whose aliases multiply", `openapi: 3.1.0\n${LAUGHS}\npaths: {}`, /aliases that multiply/],
  ])("%s", async (_case, document, message) => {
    await expect(convert(document)).rejects.toEqual(refused(message));
  });

  it("more than a million values, with the place where they are", async () => {
    const list = `[${"0,".repeat(1_000_000)}0]`;
    const text = `{"openapi":"3.1.0","paths":{},"x-list":${list}}`;
    await expect(convert(text)).rejects.toEqual(refused(/^\/x-list: expected a document of at most 1000000 values/));
  });

  it("operations that the document does not have", async () => {
    const operations = ["getPetById", "GET /cats", "dropTables"];
    await expect(convert(PET_SHOP, { operations })).rejects.toEqual(
      refused(/does not contain "GET \/cats", "dropTables"$/),
    );
  });

  it("more operations than one import may make", async () => {
    const paths = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`/p${n}`, { get: { responses: {} } }]));
    await expect(convert({ ...head, paths })).rejects.toEqual(refused(/at most 200 in one import, not 201/));
    const { drafts } = await convert({ ...head, paths }, { operations: ["GET /p7"] });
    expect(drafts.map(({ definition }) => definition.url)).toEqual(["https://api.example.com/p7"]);
  });

  it.each<[string, unknown, RegExp]>([
    ["a cycle of objects", circle, /without cycles/],
    ["a text over the limit", " ".repeat(OPENAPI_LIMITS.maxCharacters + 1), /at most 16777216 characters/],
    ["what its thread refuses", { swagger: "2.0", paths: {} }, /not Swagger 2\.0/],
  ])("%s", async (_case, document, message) => {
    await expect(openApiReader.import(document)).rejects.toEqual(refused(message));
  });

  it("a document that takes too long", async () => {
    const importInTime = createOpenApiReader({ timeoutMs: 1, memoryMegabytes: 64 });
    await expect(importInTime.import(PET_SHOP)).rejects.toEqual(refused(/can be processed in time/));
  });

  it("what does not fit into its memory, and goes on living", async () => {
    const routes = Array.from({ length: 60_000 }, (_, n) => `  /p${n}: { get: { a: [1] } }`);
    const text = `openapi: 3.1.0\npaths:\n${routes.join("\n")}`;
    const importSmall = createOpenApiReader({ memoryMegabytes: 64 });
    await expect(importSmall.import(text)).rejects.toEqual(refused(/fits into memory/));
  });
});

describe("an import", () => {
  it("takes the operations that were named, by id or by method and path", async () => {
    const { drafts, skipped } = await convert(PET_SHOP, { operations: ["getPetById", "post /pets"] });
    expect(drafts.map(({ operation }) => operation)).toEqual(["POST /pets", "GET /pets/{petId}"]);
    expect(skipped).toEqual([]);
  });

  it("needs to know where the API is", async () => {
    const { servers: _, ...rest } = head;
    const paths = { "/a": { get: { responses: {} } } };
    const { drafts, skipped } = await convert({ ...rest, paths });
    expect(drafts).toEqual([]);
    expect(skipped).toMatchObject([{ operation: "GET /a", path: "/paths/~1a/get/servers" }]);
    const known = await convert({ ...rest, paths }, { server: "https://api.example.com/v2/" });
    expect(known.drafts.map(({ definition }) => definition.url)).toEqual(["https://api.example.com/v2/a"]);
  });

  it("never lets a document name a host in part, a user or a query", async () => {
    const urls = [
      "https://{tenant}.example.com",
      "https://me:pass@example.com",
      "https://example.com/?a=1",
      "file:///etc",
    ];
    const paths = Object.fromEntries(urls.map((url, n) => [`/p${n}`, { servers: [{ url }], get: { responses: {} } }]));
    const { drafts, skipped } = await convert({ ...head, paths });
    expect(drafts).toEqual([]);
    expect(skipped).toHaveLength(urls.length);
  });

  it("takes the importer's word for servers whose variables have no defaults", async () => {
    const servers = [{ url: "https://{tenant}.example.com/{version}" }, { url: "https://example.com/{version}" }];
    const document = { ...head, servers, paths: { "/a": { get: { responses: {} } } } };
    expect(await convert(document)).toMatchObject({ drafts: [], skipped: [{ operation: "GET /a" }] });
    const { drafts } = await convert(document, { server: "https://acme.example.com/v1" });
    expect(drafts.map(({ definition }) => definition.url)).toEqual(["https://acme.example.com/v1/a"]);
  });

  it("reads JSON and YAML behind a byte order mark", async () => {
    const paths = { "/a": { get: { responses: {} } } };
    const yaml = "openapi: 3.0.0\nservers: [{ url: https://api.example.com }]\npaths: { /a: { get: {} } }";
    for (const text of [JSON.stringify({ ...head, paths }), yaml]) {
      expect(await convert(`\uFEFF${text}`)).toMatchObject({ drafts: [{ operation: "GET /a" }] });
    }
  });

  it("follows merge keys of YAML", async () => {
    const text = [
      "openapi: 3.0.0",
      "servers: [{ url: https://api.example.com }]",
      "x-read: &read { get: { summary: Reads. } }",
      "paths:",
      "  /a: { <<: *read, post: {} }",
    ].join("\n");
    const { drafts } = await convert(text);
    expect(drafts.map(({ operation }) => operation).toSorted()).toEqual(["GET /a", "POST /a"]);
  });

  it("leaves out optional fields whose names no definition holds, and skips what needs them", async () => {
    const names = ["constructor", "__proto__", "x".repeat(201)];
    const inQuery = (required: boolean) =>
      ["id", ...names].map((name) => ({ name, in: "query", required, schema: { type: "string" } }));
    const properties = Object.fromEntries(["id", "", ...names].map((name) => [name, { type: "string" }]));
    const inBody = (required: string[]) => ({ content: { "application/json": { schema: { properties, required } } } });
    const { drafts, skipped } = await convert({
      ...head,
      paths: {
        "/a": { get: { parameters: inQuery(false) }, post: { requestBody: inBody(["id"]) } },
        "/b": { get: { parameters: inQuery(true) }, post: { requestBody: inBody([""]) } },
      },
    });
    expect(drafts.map(({ definition }) => definition.parameters.map(({ name }) => name))).toEqual([["id"], ["id"]]);
    expect(drafts.map(({ notes }) => notes.length)).toEqual([3, 4]);
    expect(skipped.map(({ operation }) => operation)).toEqual(["GET /b", "POST /b"]);
  });

  it("leaves out enums that no argument of their type is in", async () => {
    const text = [
      "openapi: 3.0.0",
      "servers: [{ url: https://api.example.com }]",
      "paths:",
      "  /a:",
      "    get:",
      "      parameters:",
      "        - { name: version, in: query, schema: { type: string, enum: [1.0, 2.0] } }",
      "        - { name: size, in: query, schema: { type: string, enum: [small, 1] } }",
    ].join("\n");
    const { drafts } = await convert(text);
    expect(drafts[0]?.definition.parameters).toEqual([
      { name: "version", in: "query", type: "string" },
      { name: "size", in: "query", type: "string", schema: { enum: ["small", 1] } },
    ]);
    expect(drafts[0]?.notes).toEqual([
      expect.stringMatching(/^the enum at .* is omitted: none of its values is a string$/),
    ]);
  });

  it("bounds what schemas that refer to each other come to", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `S${n}`,
        {
          type: "object",
          properties: Object.fromEntries(
            ["a", "b", "c", "d"].map((key) => [key, { $ref: `#/components/schemas/S${n + 1}` }]),
          ),
        },
      ]),
    );
    const document = {
      ...head,
      paths: {
        "/s": {
          post: {
            requestBody: {
              required: true,
              content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } },
            },
            responses: {},
          },
        },
      },
      components: { schemas: { ...schemas, S12: { type: "string" } } },
    };
    const { drafts, skipped } = await convert(document);
    expect(skipped).toEqual([]);
    expect(drafts[0]?.notes).toContainEqual(expect.stringMatching(/too large or too deep/));
    expect(JSON.stringify(drafts).length).toBeLessThan(65_536);
  });

  it("says where a document breaks its own specification, and goes on", async () => {
    const broken = { ...head, paths: { "/a": { get: { summary: 5, responses: {} } } } };
    const { drafts, problems } = await convert(broken);
    expect(drafts).toHaveLength(1);
    expect(problems).not.toEqual([]);
    expect(await convert(broken, { listsProblems: false })).toMatchObject({ drafts, problems: [] });
    for (const { path, message } of problems)
      expect([path, message]).toEqual([expect.any(String), expect.stringMatching(/./)]);
  });
});

it("of thirty imports at once some are refused, and the others come one by one", async () => {
  const importInTime = createOpenApiReader({ timeoutMs: 1, memoryMegabytes: 64 });
  const imports = Array.from({ length: 30 }, () => importInTime.import("openapi: ["));
  const outcomes = await Promise.allSettled(imports);
  const codes = outcomes.map((one) => (one.status === "rejected" ? one.reason.code : "imported"));
  expect(codes.filter((code) => code === "INVALID_REQUEST")).toHaveLength(21);
  expect(codes.filter((code) => code === "UNAVAILABLE")).toHaveLength(9);
}, 60_000);

it("an import that ends while it waits for others says nothing about its document", async () => {
  const reader = createOpenApiReader();
  const first = reader.import(PET_SHOP);
  const ended = new AbortController();
  const waiting = reader.import(PET_SHOP, { signal: ended.signal });
  ended.abort();
  await expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect((await first).drafts).not.toEqual([]);
}, 60_000);

it("one workspace takes at most half of the queue", async () => {
  const reader = createOpenApiReader({ timeoutMs: 1, memoryMegabytes: 64 });
  const codesOf = async (imports: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(imports)).map((one) => (one.status === "rejected" ? one.reason.code : "imported"));
  const many = codesOf(Array.from({ length: 15 }, () => reader.import("openapi: [", { owner: "ws_a" })));
  const other = codesOf([reader.import("openapi: [", { owner: "ws_b" })]);
  expect((await many).filter((code) => code === "UNAVAILABLE")).toHaveLength(4);
  expect(await other).toEqual(["INVALID_REQUEST"]);
}, 60_000);
