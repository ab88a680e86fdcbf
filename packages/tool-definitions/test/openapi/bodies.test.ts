import { describe, expect, it } from "vitest";
import { convertDocument } from "../../src/openapi/convert-document.ts";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restParameters } from "../../src/rest/rest-parameters.ts";

const head = { openapi: "3.0.3", info: { title: "t", version: "1" }, servers: [{ url: "https://api.example.com" }] };
const order = {
  type: "object",
  required: ["sku"],
  properties: { sku: { type: "string" }, quantity: { type: "integer" } },
};
/** What becomes of one operation with this body. */
async function convertBody(requestBody: unknown, method = "post") {
  const paths = { "/orders": { [method]: { operationId: "order", requestBody, responses: {} } } };
  const { drafts, skipped } = await convertDocument(JSON.stringify({ ...head, paths }), {});
  return { definition: drafts[0]?.definition, notes: drafts[0]?.notes, reasons: skipped.map(({ reason }) => reason) };
}
const draftOf = async (requestBody: unknown, method?: string) => {
  const { definition, notes, reasons } = await convertBody(requestBody, method);
  if (definition === undefined) throw new Error(`expected a draft: ${reasons.join()}`);
  return { definition, notes, template: compileRestTool(definition), schema: restParameters(definition) };
};
const json = (schema: unknown, type = "application/json") => ({ content: { [type]: { schema } } });

describe("a body of which the document does not say that it is required", () => {
  it("needs its required fields when it is sent, and can be omitted as a whole", async () => {
    const { definition, schema, template } = await draftOf(json(order));
    expect(definition).toMatchObject({ bodyRequired: false, parameters: [{ name: "sku", required: true }, {}] });
    expect(schema).toMatchObject({
      required: [],
      properties: { sku: { description: "Required if any other field of the body is given." } },
      dependentRequired: { quantity: ["sku"] },
    });
    expect(template.render({}, () => "")).toEqual({
      method: "POST",
      url: "https://api.example.com/orders",
      headers: {},
    });
    expect(template.render({ sku: "a" }, () => "")).toMatchObject({ body: { sku: "a" } });
  });

  it("is sent whole where one of its fields is fixed", async () => {
    const { definition } = await draftOf(json(order));
    const parameters = definition.parameters.map((one) => (one.name === "quantity" ? { ...one, value: 1 } : one));
    expect(restParameters({ ...definition, parameters })).toMatchObject({ required: ["sku"] });
  });

  it("is sent empty where none of its fields is required", async () => {
    const { definition, template } = await draftOf(json({ type: "object", properties: { note: { type: "string" } } }));
    expect(definition).not.toHaveProperty("bodyRequired");
    expect(template.render({}, () => "")).toMatchObject({ body: {} });
  });

  it("leaves no draft without it where it can't be sent", async () => {
    const bodies = [
      { content: { "multipart/form-data": { schema: { type: "object", properties: { file: { type: "string" } } } } } },
      json({ type: "array", items: order }),
      { content: { "image/png": {}, "text/csv": { schema: { type: "string" } } } },
      json({ type: "object", additionalProperties: { type: "string" } }),
    ];
    const found = await Promise.all(bodies.map((body) => convertBody(body)));
    expect(found.map(({ definition }) => definition)).toEqual(bodies.map(() => undefined));
    expect(found.flatMap(({ reasons }) => reasons)).toEqual([
      "expected a JSON or form-encoded body, not multipart/form-data, which contains files",
      "expected a body that is an object with named fields, not a list",
      "expected a JSON or form-encoded body, not image/png, text/csv",
      "expected a body that is an object with named fields",
    ]);
  });

  it("is none where it describes nothing", async () => {
    const { definition, notes } = await draftOf({
      content: { "application/x-www-form-urlencoded": { schema: { type: "object", properties: {} } } },
    });
    expect(definition.parameters).toEqual([]);
    expect(notes).toEqual([]);
  });
});

it("a GET whose body is required is skipped", async () => {
  const { reasons } = await convertBody({ ...json(order), required: true }, "get");
  expect(reasons).toEqual(["expected no required body: a GET request can't have one"]);
});

it.each<[string, string | undefined]>([
  ["text/json", "text/json"],
  ["text/json; charset=utf-8", "text/json; charset=utf-8"],
  ["application/vnd.api+json", "application/vnd.api+json"],
  ["*/*", undefined],
  ["application/*+json", undefined],
])("a body of the type %s is JSON", async (type, header) => {
  const { template } = await draftOf({ ...json(order, type), required: true });
  const { headers, body } = template.render({ sku: "a" }, () => "");
  expect({ header: headers["content-type"], body }).toEqual({
    header: header ?? "application/json",
    body: { sku: "a" },
  });
});

it("schemas are described down to the eighth level", async () => {
  const nested = (levels: number): object =>
    levels === 0 ? { type: "string" } : { type: "object", properties: { in: nested(levels - 1) } };
  const { definition, notes } = await draftOf(json({ type: "object", properties: { order: nested(9) } }));
  const described = JSON.stringify(definition.parameters[0]);
  expect([described.split('"object"').length - 1, described.includes('"in":{}'), notes?.length]).toEqual([8, true, 1]);
});

it("an empty enum and the 101st pattern are omitted, with a note", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 90 }, (_, n) => [`p${n}`, { type: "string", pattern: `^a${n}$` }]),
  );
  const inner = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`q${n}`, { type: "string", pattern: `^b${n}$` }]),
  );
  const { definition, notes } = await draftOf(
    json({
      type: "object",
      properties: { ...properties, inner: { type: "object", properties: inner }, empty: { type: "string", enum: [] } },
    }),
  );
  expect(JSON.stringify(definition).match(/"pattern":/g)).toHaveLength(100);
  expect(notes).toEqual([
    "some patterns are omitted: a tool can have at most 100",
    expect.stringMatching(/^the enum at .*\/empty is omitted: it lists no values$/),
  ]);
  expect(definition.parameters.find(({ name }) => name === "empty")).toEqual({
    name: "empty",
    in: "body",
    type: "string",
  });
});

it("a field of a body may have parts whose schemas are true or false", async () => {
  const filter = { type: "object", properties: { name: { type: "string" }, any: true, none: false } };
  const { schema } = await draftOf(json({ type: "object", properties: { filter } }));
  expect(schema).toMatchObject({
    properties: { filter: { properties: { name: { type: "string" }, any: {}, none: { not: {} } } } },
  });
});

it("the fields that an object inside of a body requires stay required, without read-only ones", async () => {
  const customer = {
    type: "object",
    properties: { id: { type: "string", readOnly: true }, name: { type: "string" }, note: { type: "string" } },
    required: ["id", "name", "name"],
  };
  const { schema } = await draftOf(json({ type: "object", properties: { customer } }));
  expect(schema).toMatchObject({ properties: { customer: { required: ["name"] } } });
});

it("null is added to the types of a field that may be null, and not to a field without a type", async () => {
  const inner = {
    typed: { type: "string", nullable: true },
    listed: { type: "string", enum: ["a"], nullable: true },
    untyped: { nullable: true, description: "Anything." },
  };
  const { schema } = await draftOf(
    json({ type: "object", properties: { inner: { type: "object", properties: inner } } }),
  );
  expect(schema).toMatchObject({
    properties: {
      inner: {
        properties: {
          typed: { type: ["string", "null"] },
          listed: { type: ["string", "null"], enum: ["a", null] },
          untyped: expect.not.objectContaining({ type: expect.anything() }),
        },
      },
    },
  });
});
