import { restDefinitionSchema, restParameterSchema, restToolSchema } from "@yagate/protocol";
import { API_TEMPLATES } from "@yagate/tool-definitions/templates/api-templates";
import { describe, expect, it } from "vitest";
import { blocksOfAllPages } from "../docs-blocks/doc-pages.ts";
import { tableRows } from "./page-tables.ts";

const GUIDE = "docs/rest-tools.md";
const REFERENCE = "docs/rest-tools-reference.md";
const FIELDS = ["field", "default", "meaning"];

describe(REFERENCE, () => {
  it.each([
    ["Definition", restDefinitionSchema],
    ["Parameters", restParameterSchema],
  ])("has every field, and which are required: %s", (section, schema) => {
    const rows = tableRows(REFERENCE, FIELDS, section);
    expect(rows.map(({ field }) => field)).toEqual(Object.keys(schema.shape));
    const required = rows.filter((row) => row["default"] === "required").map(({ field }) => field);
    expect(required).toEqual(schema.safeParse({}).error?.issues.map(({ path }) => path[0]));
  });
});

describe(GUIDE, () => {
  it("shows a definition that would be taken", () => {
    const block = blocksOfAllPages().find(({ page, language }) => page === GUIDE && language === "json");
    expect(restToolSchema.safeParse(JSON.parse(block?.text ?? "")).error).toBeUndefined();
  });

  it("has every template", () => {
    const rows = tableRows(GUIDE, ["template", "service", "tools", "key"]);
    const expected = API_TEMPLATES.map(({ id, service, tools, credential }) => {
      return { template: id, service, tools: String(tools.length), key: credential?.auth.type ?? "none" };
    });
    expect(rows).toEqual(expected);
  });
});
