import { SCHEMA_TEXTS } from "@yagate/api-texts/schema-texts";
import { WHOLE_EXAMPLES } from "@yagate/api-texts/whole-examples";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { startApp } from "./support/app.ts";
import { type PropertyPlace, propertiesOf } from "./support/property-places.ts";

const app = await startApp();
afterAll(() => app.stop());

const mediaSchema = z.object({ schema: z.looseObject({}), example: z.unknown() });
const bodySchema = z.looseObject({ content: z.record(z.string(), mediaSchema).default({}) });
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(z.object({ name: z.string(), description: z.string().default(""), schema: z.looseObject({}) })),
  requestBody: bodySchema.optional(),
  responses: z.record(z.string(), bodySchema),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({ description: z.string().optional() })) }),
});

const document = documentSchema.parse((await app.call("getOpenApiDocument")).body);
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "api", components: { schemas } });

const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
  [requestBody, ...Object.values(responses)].flatMap((body) =>
    Object.entries(body?.content ?? {}).map(([type, media]) => ({ place: `${operationId} ${type}`, ...media })),
  ),
);
const properties: readonly PropertyPlace[] = [
  ...Object.entries(schemas).flatMap(([name, schema]) => propertiesOf(schema, name)),
  ...bodies.flatMap(({ place, schema }) => propertiesOf(schema, place)),
  ...operations.flatMap(({ operationId, parameters }) =>
    parameters.map(({ name, schema, ...rest }) => ({ path: `${operationId}?${name}`, schema: { ...schema, ...rest } })),
  ),
];

function validate(schema: object, value: unknown): string | undefined {
  const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')));
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

/** A reference is described by what it leads to. */
function isDescribed({ description, $ref }: PropertyPlace["schema"]): boolean {
  const named = typeof $ref === "string" ? schemas[$ref.replace("#/components/schemas/", "")] : undefined;
  return [description, named?.description].some((text) => typeof text === "string" && text.length > 5);
}

// What is missing belongs into packages/gateway/src/http/openapi/reference/, or into the schema's describe().
describe("the API document", () => {
  it("describes every operation beyond its summary", () => {
    const bare = operations.filter(({ summary, description }) => description.length < 10 || description === summary);
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("describes every schema that has a name", () => {
    expect(Object.keys(schemas).filter((name) => !isDescribed(schemas[name] ?? {}))).toEqual([]);
  });

  it("describes every parameter", () => {
    const bare = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => description.length <= 5).map(({ name }) => `${operationId}?${name}`),
    );
    expect(bare, "add it to packages/gateway/src/http/openapi/reference/parameter-texts.ts").toEqual([]);
  });

  it("describes every property and parameter", () => {
    expect(properties.filter(({ schema }) => !isDescribed(schema)).map(({ path }) => path)).toEqual([]);
    expect(properties.length).toBeGreaterThan(1_000);
  });

  it("has an example of every property and parameter that holds a value", () => {
    const bare = properties.filter(({ schema, isHolder }) => isHolder !== true && !("examples" in schema));
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it("has examples that their schemas allow", () => {
    const wrong = properties.flatMap(({ path, schema }) =>
      z
        .array(z.unknown())
        .catch([])
        .parse(schema["examples"])
        .map((example) => ({ path, example, error: validate(schema, example) })),
    );
    expect(wrong.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it("has a whole example of every body", () => {
    const wrong = bodies.map(({ place, schema, example }) => ({ place, error: validate(schema, example) }));
    expect(wrong.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(80);
  });
});

it("has examples of request bodies that the gateway's own schemas accept", () => {
  const refused = app.composed.routes.flatMap(({ name, body, rawBody, isUndocumented }) => {
    if (isUndocumented === true) return [];
    const schema = body ?? rawBody;
    if (schema === undefined) return [];
    const { example } = bodies.find(({ place }) => place === `${name} application/json`) ?? {};
    const result = schema.safeParse(example);
    return result.success ? [] : [`${name}: ${result.error.message}`];
  });
  expect(refused).toEqual([]);
});

it("describes nothing that is not there", () => {
  const names = new Set(Object.keys(schemas));
  expect(Object.keys(SCHEMA_TEXTS).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(WHOLE_EXAMPLES).filter((name) => !names.has(name))).toEqual([]);
});
