import { expect, it } from "vitest";
import { nameWords } from "../src/name-words.ts";
import { schemaTexts } from "../src/schema-texts.ts";

it("collects the texts of nested parameters", () => {
  const schema = {
    type: "object",
    description: "of the whole",
    properties: {
      filter: { anyOf: [{ properties: { price: { description: "in euros" } } }, { enum: ["cheap", 5, null] }] },
      items: { type: "array", items: { description: "an article", properties: { sku: { const: "A1" } } } },
    },
    $defs: { place: { properties: { zip: true } } },
  };
  expect(schemaTexts(schema)).toEqual({
    names: ["filter", "price", "items", "sku", "zip"],
    texts: ["in euros", "cheap", "5", "an article", "A1"],
  });
});

it("stops at a depth, and reads what is no schema as nothing", () => {
  const endless: Record<string, unknown> = { description: "again" };
  endless["items"] = endless;
  expect(schemaTexts(endless).texts).toHaveLength(8);
  expect(schemaTexts({ properties: ["a"], items: "b", anyOf: {} })).toEqual({ names: [], texts: [] });
});

it.each([
  ["orders.getHTTPStatus2", ["orders", "get", "http", "status", "2"]],
  ["list-open_issues", ["list", "open", "issues"]],
  ["Events_3_FindEvents", ["events", "3", "find", "events"]],
  ["größeÄndern", ["grosse", "andern"]],
])("splits the name %s", (name, words) => {
  expect(nameWords(name)).toEqual(words);
});
