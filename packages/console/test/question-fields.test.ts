import { expect, it } from "vitest";
import { fieldsOf, toContent } from "../src/pages/approvals/question-fields.ts";

const SCHEMA = {
  type: "object",
  properties: {
    email: { type: "string", title: "E-mail", description: "Where to send it" },
    copies: { type: "integer", default: 1 },
    express: { type: "boolean" },
    carrier: { type: "string", enum: ["DHL", "UPS"] },
  },
  required: ["email"],
};

it("a schema becomes fields with what they start with", () => {
  expect(
    fieldsOf(SCHEMA).map(({ name, title, type, start, isRequired }) => [name, title, type, start, isRequired]),
  ).toEqual([
    ["email", "E-mail", "string", "", true],
    ["copies", "copies", "number", "1", false],
    ["express", "express", "boolean", "", false],
    ["carrier", "carrier", "choice", "", false],
  ]);
});

it.each<[string, unknown]>([
  ["no schema", undefined],
  ["a list", []],
  ["a schema without properties", { type: "object" }],
])("%s has no fields", (_name, schema) => {
  expect(fieldsOf(schema)).toEqual([]);
});

it("what was written becomes values of the fields' types, without optional fields that are empty", () => {
  expect(toContent(fieldsOf(SCHEMA), { email: "a@example.com", copies: "2", express: "true", carrier: "" })).toEqual({
    email: "a@example.com",
    copies: 2,
    express: true,
  });
});
