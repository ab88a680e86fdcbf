import { toolCallSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { blocksOfAllPages } from "../docs-blocks/doc-pages.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/signed-requests.md";
const fields = Object.keys(toolCallSchema.shape);

describe(PAGE, () => {
  it("shows a call with every field of a call that a model requested", () => {
    const [block] = blocksOfAllPages().filter(({ page, language }) => page === PAGE && language === "json");
    expect(Object.keys(toolCallSchema.parse(JSON.parse(block?.text ?? "")))).toEqual(
      // Only calls that a person sends again have it.
      fields.filter((field) => field !== "redelivery"),
    );
  });

  it("explains every field of a call", () => {
    const rows = tableRows(PAGE, ["field of the call", "meaning"]);
    const named = rows.flatMap((row) => (row["field of the call"] ?? "").split(", "));
    expect(named.map((name) => name.replaceAll("`", ""))).toEqual(fields);
  });
});
