import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { selectValues } from "@yagate/lib/artifacts/json-path/select-values";
import { jsonObjectSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { projectResult } from "../../packages/gateway/src/projection/project-result.ts";
import { tableRows } from "./page-tables.ts";

const items = ["first", "second", "third"].map((text, id) => ({ id, text, tags: [] }));
const root = jsonObjectSchema.parse({ items });

describe("docs/large-results.md", () => {
  it.each(tableRows("docs/large-results.md", ["path", "values"]))("says what $path selects", ({ path, values }) => {
    expect(selectValues(parseJsonPath(path ?? ""), root).values).toEqual(JSON.parse(values ?? ""));
  });

  it("says how a projection keeps records together", () => {
    const keep = ["$.items[*]['id','text']"];
    const kept = items.map(({ id, text }) => ({ id, text }));
    expect(projectResult(root, { keep })).toEqual({ items: kept });
  });
});
