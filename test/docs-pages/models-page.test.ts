import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_ISSUE_CODES } from "@yagate/models/port";
import { loadPrices } from "@yagate/models/prices/load-prices";
import { tokenUsageSchema, usageSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { priceTableSchema } from "../../packages/models/src/prices/price-table.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { blocksOfAllPages } from "../docs-blocks/doc-pages.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/models.md";
const names = (cell = "") => cell.split(",").map((name) => name.trim().replaceAll("`", ""));

describe(PAGE, () => {
  it("has every code that a check of a model finds", () => {
    const codes = tableRows(PAGE, ["code", "reported as", "when"]).map(({ code }) => code);
    expect(codes).toEqual([...MODEL_ISSUE_CODES]);
  });

  it("has every count of usage", () => {
    const counts = tableRows(PAGE, ["usage", "meaning"]).flatMap(({ usage }) => names(usage));
    expect(counts.toSorted()).toEqual(Object.keys({ ...tokenUsageSchema.shape, ...usageSchema.shape }).toSorted());
  });

  it("has every field of a price", () => {
    const fields = tableRows(PAGE, ["field of a model", "meaning"]).flatMap((row) => names(row["field of a model"]));
    const model = priceTableSchema.shape.providers.valueType.shape.models.valueType;
    expect(fields.toSorted()).toEqual(Object.keys(model.shape).toSorted());
  });

  it("shows a file of prices that would be taken", () => {
    const shown = blocksOfAllPages().find(({ page, text }) => page === PAGE && text.includes('"providers"'));
    expect(priceTableSchema.safeParse(JSON.parse(shown?.text ?? "")).error).toBeUndefined();
  });

  it("says truly which models have a known price, and which have none", () => {
    const page = readFileSync(join(repositoryRoot, PAGE), "utf8");
    const [, unknown = ""] = /no known price \(such as ([^)]+)\)/.exec(page) ?? [];
    const [, moving = ""] = /names that move to new models over time, such as `([^`]+)`/.exec(page) ?? [];
    const [, priced = "", family = ""] = /`([^`]+)` has its own entry and never costs what `([^`]+)`/.exec(page) ?? [];
    const priceOf = (model: string) => {
      const provider = { gpt: "openai", claude: "anthropic", mistral: "mistral" }[model.split("-")[0] ?? ""];
      return loadPrices().find(provider ?? "", model, Date.now())?.input;
    };
    expect([...names(unknown), moving].map((model) => [model, priceOf(model)])).toEqual([
      ["claude-sonnet-4-9", undefined],
      ["gpt-5.5-mini", undefined],
      ["mistral-large-latest", undefined],
    ]);
    expect(priceOf(priced)).toBeLessThan(priceOf(family) ?? 0);
  });
});
