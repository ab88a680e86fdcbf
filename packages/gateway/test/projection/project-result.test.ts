import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import type { JsonValue, Projection } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectResult } from "../../src/projection/project-result.ts";

const ORDER = {
  id: "ORD-1",
  customer: { name: "ACME", email: "buyer@acme.example", address: { city: "Bern", street: "Weg 1" } },
  lines: [
    { sku: "A", price: 1, internal: { margin: 0.4 } },
    { sku: "B", price: 2, internal: { margin: 0.1 } },
    { sku: "C", price: 3 },
  ],
  notes: ["first", "second", "third"],
};

describe("the projection of a result", () => {
  it.each<[string, Projection, JsonValue]>([
    ["nothing but what is kept", { keep: ["$.id"] }, { id: "ORD-1" }],
    ["several places", { keep: ["$.id", "$.customer.name"] }, { id: "ORD-1", customer: { name: "ACME" } }],
    ["a field of each element", { keep: ["$.lines[*].sku"] }, { lines: [{ sku: "A" }, { sku: "B" }, { sku: "C" }] }],
    ["one element", { keep: ["$.lines[1].sku"] }, { lines: [{ sku: "B" }] }],
    ["the last one", { keep: ["$.notes[-1]"] }, { notes: ["third"] }],
    ["a slice", { keep: ["$.notes[0:2]"] }, { notes: ["first", "second"] }],
    ["every other one, backwards", { keep: ["$.notes[::-2]"] }, { notes: ["first", "third"] }],
    ["a name at any depth", { keep: ["$..city"] }, { customer: { address: { city: "Bern" } } }],
    ["the whole", { keep: ["$"] }, ORDER],
    [
      "a part that holds another one",
      { keep: ["$.customer.address", "$.customer.address.city"] },
      { customer: { address: { city: "Bern", street: "Weg 1" } } },
    ],
    ["nothing where nothing is kept", { keep: ["$.total"] }, null],
    ["nothing of an index that is none", { keep: ["$.notes[7]"] }, null],
    [
      "what is redacted by stars",
      { redact: ["$.customer.email"] },
      { ...ORDER, customer: { ...ORDER.customer, email: "***" } },
    ],
    [
      "stars for a whole part",
      { keep: ["$.customer"], redact: ["$.customer.address"] },
      { customer: { name: "ACME", email: "buyer@acme.example", address: "***" } },
    ],
    [
      "stars at any depth",
      { keep: ["$.lines"], redact: ["$..margin"] },
      {
        lines: [
          { sku: "A", price: 1, internal: { margin: "***" } },
          { sku: "B", price: 2, internal: { margin: "***" } },
          { sku: "C", price: 3 },
        ],
      },
    ],
    ["only stars", { redact: ["$"] }, "***"],
    [
      "stars also where they are kept by name",
      { keep: ["$.customer.email"], redact: ["$.customer.email"] },
      { customer: { email: "***" } },
    ],
    ["all of it without a projection of places", { maxTokens: 500 }, ORDER],
  ])("is %s", (_case, projection, expected) => {
    expect(projectResult(ORDER, projection)).toEqual(expected);
  });

  it("is the text itself or nothing", () => {
    expect(projectResult("plain", { keep: ["$.id"] })).toBeNull();
    expect(projectResult("plain", { keep: ["$"], redact: ["$.id"] })).toBe("plain");
    expect(projectResult("plain", { redact: ["$"] })).toBe("***");
  });

  it.each<[string, JsonValue, JsonValue]>([
    ["JSON that was not read as such", { body: '{"card":"4111","id":1}' }, { body: '{"card":"***","id":1}' }],
    ["JSON behind letters that keep it from being run", { body: ')]}\'\n{"card":"4111"}' }, { body: '{"card":"***"}' }],
    ["JSON that was cut", { body: '{"id":1,"card":"4111","lin' }, { body: "***" }],
    ["lines of JSON", { body: '{"card":"4111"}\n{"card":"4222"}' }, { body: "***" }],
    [
      "JSON in JSON",
      { body: { text: '{"a":"{\\"card\\":\\"4111\\"}"}' } },
      { body: { text: '{"a":"{\\"card\\":\\"***\\"}"}' } },
    ],
    ["a text that is JSON itself", '{"card":"4111"}', '{"card":"***"}'],
    ["a text that is none", { body: "no such order" }, { body: "no such order" }],
  ])("has stars in %s", (_case, result, expected) => {
    expect(projectResult(result, { redact: ["$..card"] })).toEqual(expected);
  });

  it("replaces a text by stars where only a part was to be redacted", () => {
    const result = { status: 200, body: "card=4111&id=1" };
    expect(projectResult(result, { redact: ["$.body.card"] })).toEqual({ status: 200, body: "***" });
  });

  it("never reaches a prototype", () => {
    const hostile: JsonValue = JSON.parse('{"__proto__":{"admin":true},"id":1}');
    const read = projectResult(hostile, { keep: ["$.id", "$['__proto__']"] });
    expect(JSON.stringify(read)).toBe('{"__proto__":{"admin":true},"id":1}');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  const value = fc.jsonValue({ maxDepth: 4 }).map((any): JsonValue => JSON.parse(JSON.stringify(any)));
  const step = fc.oneof(
    fc.constantFrom("[*]", "..[*]", "[0]", "[-1]", "[1:]", "[::-2]", "['a','b']"),
    fc.string({ minLength: 1, maxLength: 2 }).map((name) => `[${JSON.stringify(name)}]`),
  );
  const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => `$${steps.join("")}`);

  it("has none of the values that redacted paths select, and all that kept paths select", () => {
    fc.assert(
      fc.property(value, path, (result, selecting) => {
        const parsed = parseJsonPath(selecting);
        const selected = selectValues(parsed, result).values;
        const redacted = selectValues(parsed, projectResult(result, { redact: [selecting] })).values;
        expect(redacted.every((one) => one === "***")).toBe(true);
        expect(redacted.length === 0).toBe(selected.length === 0);
        const kept = projectResult(result, { keep: [selecting] });
        expect(kept === null || selected.length > 0).toBe(true);
        const inside = (part: JsonValue) => JSON.stringify(kept).includes(JSON.stringify(part));
        expect(selected.every(inside)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
