import fc from "fast-check";
import { expect, it } from "vitest";
import { createArgumentValidator } from "../../src/arguments/argument-validator.ts";
import { checkParametersSchema } from "../../src/arguments/check-parameters-schema.ts";

const names = fc.constantFrom("a", "b", "toString");
const numbers = fc.constantFrom(0, 1, 2, 0.5);
const types = fc.constantFrom("object", "array", "string", "integer", "number", "boolean", "null");
const references = fc.constantFrom("#", "#a", "#/$defs/a", "#/properties/a", "#/$defs/a/items", "https://a.example/b");
const anything = fc.constantFrom<unknown>("a", "(", 1, -1, true, null, [], {}, ["a", 1], { $ref: "#" });

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const one = tie("schema");
  const list = fc.array(one, { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(names, one, { maxKeys: 2 });
  const nameLists = fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2 });
  /** Each keyword that the compiler knows, and some that must never reach it, with the values that it takes. */
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    ...{ allOf: list, anyOf: list, oneOf: list, prefixItems: list },
    ...Object.fromEntries(
      ["not", "if", "then", "else", "items", "contains", "propertyNames"].map((name) => [name, one]),
    ),
    ...{ additionalProperties: one, unevaluatedProperties: one, unevaluatedItems: one },
    ...{ properties: map, $defs: map, definitions: map, dependentSchemas: map, dependencies: fc.oneof(map, nameLists) },
    patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), one, { maxKeys: 2 }),
    dependentRequired: nameLists,
    required: fc.uniqueArray(names, { maxLength: 2 }),
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    ...{ $ref: references, $anchor: names, $id: references, $schema: references, $dynamicRef: references },
    ...{
      minimum: numbers,
      maximum: numbers,
      exclusiveMinimum: numbers,
      exclusiveMaximum: numbers,
      multipleOf: numbers,
    },
    ...{ minLength: numbers, maxLength: numbers, minItems: numbers, maxItems: numbers },
    ...{ minContains: numbers, maxContains: numbers, minProperties: numbers, maxProperties: numbers },
    ...{ uniqueItems: fc.boolean(), nullable: fc.boolean(), $async: fc.boolean() },
    pattern: fc.constantFrom("^a", "a+$", "(?=a)"),
    format: fc.constantFrom("email", "date", "int32", "url", "phone"),
    ...{
      enum: fc.array(anything, { maxLength: 2 }),
      const: anything,
      default: anything,
      id: anything,
      "x-any": anything,
    },
  };
  const keyword = fc
    .constantFrom(...Object.keys(keywords))
    .chain((name) =>
      fc.tuple(fc.constant(name), fc.oneof({ arbitrary: keywords[name] ?? anything, weight: 20 }, anything)),
    );
  return {
    schema: fc.oneof(
      { depthSize: "small" },
      fc.boolean(),
      fc.array(keyword, { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    ),
  };
});

const values = fc.array(fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 3 })), { maxLength: 3 });

it("a schema without issues compiles, has a verdict on every value, and changes none", () => {
  const validator = createArgumentValidator({ maxEntries: 1 });
  let accepted = 0;
  fc.assert(
    fc.property(schema, values, (inner, samples) => {
      const whole = { type: "object", $defs: { a: inner }, properties: { a: inner, b: { $ref: "#/$defs/a" } } };
      if (checkParametersSchema(whole).length > 0) return;
      accepted += 1;
      for (const value of [{ a: {}, b: [] }, ...samples]) {
        const before = JSON.stringify(value);
        expect(typeof validator.validate(String(accepted), whole, value).valid).toBe("boolean");
        expect(JSON.stringify(value)).toBe(before);
      }
    }),
    { numRuns: 3_000, seed: 20_261_121 },
  );
  expect(accepted).toBeGreaterThan(500);
}, 60_000);
