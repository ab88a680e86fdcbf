import { createAgentSchema, createExecutionSchema, executionEventSchema, textDeltaSchema } from "@yagate/protocol";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createOpenApiDocument } from "../../src/http/openapi/document.ts";
import { defineRoute } from "../../src/http/route.ts";
import { startApp } from "./support/app.ts";

const app = await startApp();
afterAll(() => app.stop());

const { body: json } = await app.call("getOpenApiDocument");
const text = JSON.stringify(json);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "api", ...z.looseObject({}).parse(json) });

const refs = [...new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? ""))];

/** What stands at a JSON pointer of the document. */
function at(pointer: string): unknown {
  const keys = pointer.replace(/^#\//, "").split("/");
  return keys.reduce<unknown>((place, key) => z.record(z.string(), z.unknown()).safeParse(place).data?.[key], json);
}

function compile(schema: object) {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')));
}

const documented = () => app.composed.routes.filter(({ isUndocumented }) => isUndocumented !== true);

it("names every documented route of the table, and no other", () => {
  const ofTable = documented().map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(app.operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(ofTable.sort());
  expect(ofTable.length).toBeGreaterThan(20);
});

it("gives every operation a name of its own, as generated clients need it", () => {
  const names = app.operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
});

it("says which scopes let a key in", () => {
  const ofTable = documented().map(({ name, scopes }) => [name, scopes]);
  expect(app.operations.map(({ name, scopes }) => [name, scopes])).toEqual(ofTable);
});

it("documents exactly the parameters that a path has", () => {
  for (const { path, parameters } of app.operations) {
    const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`);
    expect(inPath).toEqual([...path.matchAll(/\{\w+\}/g)].map(([parameter]) => parameter));
  }
});

it("refers only to what is there", () => {
  expect(refs.length).toBeGreaterThan(10);
  for (const ref of refs) expect({ ref, target: at(ref) }).toEqual({ ref, target: expect.any(Object) });
});

const anyObject = z.looseObject({});

/** The items of every list of warnings in the document, with references resolved. */
function warningSchemas(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.flatMap(warningSchemas);
  const node = anyObject.safeParse(value).data;
  if (node === undefined) return [];
  const properties = anyObject.safeParse(node["properties"]).data ?? {};
  const own = ["warnings", "remarks"].flatMap((name) => {
    const { items } = anyObject.safeParse(properties[name]).data ?? {};
    const item = anyObject.safeParse(items).data;
    if (item === undefined) return [];
    const reference = item["$ref"];
    return [anyObject.parse(typeof reference === "string" ? at(reference) : item)];
  });
  return [...own, ...Object.values(node).flatMap(warningSchemas)];
}

it("gives all warnings one shape", () => {
  const found = warningSchemas(json);
  expect(found.length).toBeGreaterThan(8);
  for (const schema of found) {
    expect(Object.keys(anyObject.parse(anyObject.parse(schema)["properties"]))).toEqual(
      expect.arrayContaining(["code", "severity", "path", "message"]),
    );
  }
});

it("has no schema that nothing refers to, and none that is only itself", () => {
  const { schemas } = z
    .looseObject({ components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }) })
    .parse(json).components;
  for (const [name, schema] of Object.entries(schemas)) {
    expect(refs).toContain(`#/components/schemas/${name}`);
    expect(schema).not.toEqual({ $ref: `#/components/schemas/${name}` });
  }
});

describe.each(app.operations.map((operation) => [operation.name, operation] as const))("%s", (_name, operation) => {
  it("has schemas that compile", () => {
    const schemas = [...operation.answers.values()].flatMap((media) => [...media.values()]);
    if (operation.requestSchema !== undefined) schemas.push(operation.requestSchema);
    for (const schema of schemas) expect(() => compile(schema)).not.toThrow();
    expect(operation.answers.get("default")?.get("application/problem+json")).toBeDefined();
  });
});

it("has one form of response an operation, so that generated clients can tell what they read", () => {
  const typesOf = (name: string, status: string) => [...(app.operation(name).answers.get(status)?.keys() ?? [])];
  expect(typesOf("executeAgent", "201")).toEqual(["application/json"]);
  expect(app.operation("executeAgent").answers.has("200")).toBe(false);
  expect(typesOf("executeAgentStream", "200")).toEqual(["text/event-stream"]);
  expect(typesOf("followExecution", "200")).toEqual(["text/event-stream"]);
});

it("has a schema for each event of an execution", () => {
  const types = [...executionEventSchema.options, textDeltaSchema].map(({ shape }) => shape.type.value);
  expect(at("#/components/schemas/ExecutionEvent")).toMatchObject({
    discriminator: { mapping: Object.fromEntries(types.map((type) => [type, expect.stringMatching(/Event$/)])) },
  });
  const [stream] = app.operation("followExecution").answers.get("200")?.values() ?? [];
  const validate = compile(stream ?? {});
  const delta = { type: "text.delta", executionId: "exec_01", turn: 1, text: "hi" };
  expect([validate(delta), validate({ ...delta, turn: 0 }), validate({ ...delta, type: "text.other" })]).toEqual([
    true,
    false,
    false,
  ]);
});

it("uses only formats that other tools know", () => {
  const formats = [...text.matchAll(/"type":"string","format":"([^"]+)"/g)].map(([, format]) => format);
  expect(formats.length).toBeGreaterThan(10);
  expect([...new Set(formats)].filter((format) => format !== "date-time" && format !== "uri")).toEqual([]);
});

it("names a server, the tags and, for every operation, the problems that it can answer with", () => {
  const tags = z.object({ tags: z.array(z.object({ name: z.string(), description: z.string() })) }).parse(json).tags;
  expect(json).toMatchObject({ servers: [{ url: "/" }] });
  for (const { name, tags: own, answers, codes } of app.operations) {
    expect({ name, tag: tags.map((tag) => tag.name) }).toEqual({ name, tag: expect.arrayContaining([...own]) });
    const refusals = [...answers.keys()].filter((status) => /^4/.test(status));
    expect({ name, refusals }).toEqual({ name, refusals: expect.arrayContaining(["400", "403"]) });
    for (const status of refusals) expect(codes.get(status)?.length).toBeGreaterThan(0);
  }
});

it("leaks nothing that is ours alone", () => {
  expect(text).not.toMatch(/undefined|workspace_id|startedByKeyId|sealed|epoch|isSeen|sqlite/i);
});

describe("the schemas of requests", () => {
  const tool = {
    name: "work",
    description: "Works.",
    parameters: { type: "object" },
    handler: "https://tools.example",
  };

  it.each<[string, z.ZodType, unknown, boolean]>([
    ["createAgent", createAgentSchema, { name: "a", model: "scripted/turns" }, true],
    [
      "createAgent",
      createAgentSchema,
      { name: "a", model: "scripted/turns", tools: [tool, { builtin: "datetime" }] },
      true,
    ],
    ["createAgent", createAgentSchema, { name: "a" }, false],
    ["createAgent", createAgentSchema, { name: "a", model: "m", extra: 1 }, false],
    ["createAgent", createAgentSchema, { name: "a", model: "m", tools: [{ ...tool, parameters: "none" }] }, false],
    ["createAgent", createAgentSchema, { name: "a", model: "m", tools: [{ ...tool, timeout: 0 }] }, false],
    ["createAgent", createAgentSchema, { name: "a", model: "m", limits: { maxToolIterations: -1 } }, false],
    ["executeAgent", createExecutionSchema, { input: "hello" }, true],
    ["executeAgent", createExecutionSchema, { input: [{ role: "user", content: "hello" }], fallback: {} }, true],
    ["executeAgent", createExecutionSchema, { input: [] }, false],
    ["executeAgent", createExecutionSchema, { input: "hello", caller: "me" }, false],
  ])("of %s judge as the gateway does: %#", (name, schema, body, isValid) => {
    expect(schema.safeParse(body).success).toBe(isValid);
    expect(compile(app.operation(name).requestSchema ?? {})(body)).toBe(isValid);
  });
});

it("can't be made of two schemas with one name", () => {
  const route = (path: string, response: z.ZodType) =>
    defineRoute({
      name: path,
      method: "get",
      path,
      summary: "",
      tag: "operations",
      scopes: null,
      status: 200,
      response,
      handle: async () => ({ status: 200 }),
    });
  const one = route("/one", z.object({ a: z.string() }).meta({ id: "TestThing" }));
  const two = route("/two", z.object({ things: z.array(z.object({ b: z.string() }).meta({ id: "TestThing " })) }));
  expect(() => createOpenApiDocument([one, two], "1")).not.toThrow();
  const other = route("/other", z.object({ b: z.string() }));
  const clashing = { ...other, response: z.object({ b: z.string() }).meta({ id: "Problem" }) };
  expect(() => createOpenApiDocument([one, clashing], "1")).toThrow("one schema named Problem");
});
