import { expect, it } from "vitest";
import { headerMappingFault } from "../../src/client/header-mapping.ts";

const mapped = (name: unknown, rest: object = {}) => ({ type: "string", "x-mcp-header": name, ...rest });
const schemaOf = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });

it.each<[string, object]>([
  ["no mapping", schemaOf({ a: { type: "string" } })],
  ["two headers", schemaOf({ a: mapped("Region"), b: mapped("Zone", { type: "integer" }) })],
  ["a property of a property", schemaOf({ a: schemaOf({ b: mapped("Region", { type: "boolean" }) }) })],
  ["an argument with the keyword's name", schemaOf({ "x-mcp-header": { type: "number" } })],
  ["a default that looks like a mapping", schemaOf({ a: { type: "object", default: mapped("") } })],
])("accepts %s", (_what, schema) => {
  expect(headerMappingFault(schema)).toBeUndefined();
});

it.each<[string, object, RegExp]>([
  ["an empty name", schemaOf({ a: mapped("") }), /name of a header/],
  ["no text", schemaOf({ a: mapped(7) }), /name of a header/],
  ["a space", schemaOf({ a: mapped("My Region") }), /name of a header/],
  ["a colon", schemaOf({ a: mapped("Region:") }), /name of a header/],
  ["a line break", schemaOf({ a: mapped("Region\n") }), /name of a header/],
  ["other letters", schemaOf({ a: mapped("Größe") }), /name of a header/],
  ["a number", schemaOf({ a: mapped("Region", { type: "number" }) }), /only on strings/],
  ["an object", schemaOf({ a: mapped("Region", { type: "object" }) }), /only on strings/],
  ["no type", schemaOf({ a: { "x-mcp-header": "Region" } }), /only on strings/],
  ["the same name twice", schemaOf({ a: mapped("Region"), b: mapped("REGION") }), /different x-mcp-header/],
  ["the arguments themselves", { ...schemaOf({}), "x-mcp-header": "Region" }, /always apply/],
  ["an element of a list", schemaOf({ a: { type: "array", items: mapped("Region") } }), /always apply/],
  ["one of several schemas", schemaOf({}, { anyOf: [schemaOf({ a: mapped("Region") })] }), /always apply/],
  ["a definition", schemaOf({}, { $defs: { a: mapped("Region") } }), /always apply/],
])("refuses %s", (_what, schema, fault) => {
  expect(headerMappingFault(schema)).toMatch(fault);
});
