import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import table from "../../data/prices.json" with { type: "json" };
import { loadPrices } from "../../src/prices/load-prices.ts";
import { priceTableSchema } from "../../src/prices/price-table.ts";
import { createPrices } from "../../src/prices/prices.ts";
import { PROVIDER_NAMES } from "../../src/provider-names.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "yagate-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "prices.json");
  writeFileSync(file, content);
  return file;
}

describe("the table that comes with the gateway", () => {
  it("is dated, and names for every provider where and when its prices were read", () => {
    const { asOf = "", providers } = priceTableSchema.parse(table);
    expect(Object.keys(providers).toSorted()).toEqual(PROVIDER_NAMES.toSorted());
    for (const provider of Object.values(providers)) {
      expect(provider.source).toMatch(/^https:/);
      expect((provider.asOf ?? "") <= asOf).toBe(true);
    }
    expect(loadPrices().asOf).toBe(asOf);
  });

  it("prices no name twice", () => {
    for (const { models } of Object.values(priceTableSchema.parse(table).providers)) {
      const names = Object.entries(models).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  it("asks no less for reading fresh input than for cached, and no less for answers than for questions", () => {
    const entries = Object.values(priceTableSchema.parse(table).providers).flatMap(({ models }) =>
      Object.values(models),
    );
    for (const { input, output, cachedInput = 0 } of entries) {
      expect(cachedInput).toBeLessThanOrEqual(input);
      expect(input).toBeLessThanOrEqual(output);
    }
  });
});

describe("the price of a model", () => {
  it.each<[string, string, string, number | undefined]>([
    ["by its own name", "anthropic", "claude-sonnet-4-6", 3],
    ["by another name", "openai", "gpt-5-codex", 1.25],
    ["of a dated snapshot", "anthropic", "claude-sonnet-4-20250514", 3],
    ["of a snapshot with dashes", "openai", "gpt-5-2025-08-07", 1.25],
    ["of the latest of a family", "anthropic", "claude-3-5-haiku-latest", 0.8],
    ["of a snapshot that has a price of its own", "openai", "gpt-4o-2024-05-13", 5],
    ["of another snapshot beside it", "openai", "gpt-4o-2024-08-06", 2.5],
    ["of a numbered snapshot", "google", "gemini-2.0-flash-001", 0.1],
    ["of a larger sibling", "anthropic", "claude-opus-4-1-20250805", 15],
    ["in capitals", "zai", "GLM-5.3", 1.4],
    ["of a sibling that has no entry", "anthropic", "claude-sonnet-4-9", undefined],
    ["of a smaller sibling that has none", "openai", "gpt-5.5-mini", undefined],
    ["of a fine-tuned model", "openai", "ft:gpt-4.1:org::id", undefined],
    ["of a name that moves", "mistral", "mistral-large-latest", undefined],
    ["of a provider that has no table", "ollama", "qwen3:8b", undefined],
    ["of a name of every object", "openai", "constructor", undefined],
  ])("is found %s", (_how, provider, model, input) => {
    expect(loadPrices().find(provider, model, NOW)?.input).toBe(input);
  });

  it.each<[string, string, number]>([
    ["before", "2026-11-30T23:59:59.999Z", 2],
    ["on", "2026-12-01T00:00:00.000Z", 4],
    ["long after", "2030-01-01T00:00:00.000Z", 4],
  ])("is another one from the day on that it changes: %s", (_when, at, input) => {
    expect(loadPrices().find("google", "gemini-4-argon", Date.parse(at))?.input).toBe(input);
  });

  it("keeps the provider's price of a search when its own changes", () => {
    expect(loadPrices().find("google", "gemini-4-argon", Date.parse("2027-01-01"))?.webSearchPer1000).toBe(14);
  });

  it("is that of the later of two changes that have come", () => {
    const rate = (input: number) => ({ input, output: 9 });
    const changes = [
      { from: "2026-03-01", ...rate(3) },
      { from: "2026-02-01", ...rate(2) },
    ];
    const prices = createPrices([{ providers: { house: { models: { a: { ...rate(1), changes } } } } }]);
    const at = (day: string) => prices.find("house", "a", Date.parse(day))?.input;
    expect([at("2026-01-31"), at("2026-02-01"), at("2026-03-01")]).toEqual([1, 2, 3]);
  });
});

describe("an operator's file of prices", () => {
  it("wins model by model, and leaves the others as they are", () => {
    const file = fileOf(
      JSON.stringify({
        providers: {
          openai: { models: { "gpt-5": { input: 1, output: 8 } } },
          ollama: { models: { "*": { input: 0, output: 0 }, big: { input: 0.5, output: 0.5 } } },
        },
      }),
    );
    const prices = loadPrices(file);
    expect(prices.find("openai", "gpt-5-2025-08-07", NOW)).toMatchObject({ input: 1, output: 8 });
    expect(prices.find("openai", "gpt-5-mini", NOW)).toMatchObject({ input: 0.25 });
    expect(prices.find("ollama", "qwen3:8b", NOW)).toMatchObject({ input: 0, output: 0 });
    expect(prices.find("ollama", "big", NOW)).toMatchObject({ input: 0.5 });
  });

  it("is refused with every wrong entry named", () => {
    const file = fileOf(
      JSON.stringify({
        asOf: "yesterday",
        providers: {
          openai: { models: { "gpt-5": { input: -1, output: 8 }, "gpt-6": { input: 1, ouput: 8 } } },
          house: { models: { a: { input: "1", output: 8, longPrompts: [{ above: 0, input: 1, output: 1 }] } } },
        },
      }),
    );
    const refusal = () => loadPrices(file);
    expect(refusal).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
    for (const place of [
      "asOf",
      "providers.openai.models.gpt-5.input",
      "providers.openai.models.gpt-6.output",
      "providers.openai.models.gpt-6.ouput",
      "providers.house.models.a.input",
      "providers.house.models.a.longPrompts[0].above",
    ]) {
      expect(refusal).toThrow(`${place}: `);
    }
  });

  it.each<[string, () => string]>([
    ["that is not there", () => join(tmpdir(), "yagate-no-such-prices.json")],
    ["that is no JSON", () => fileOf("{")],
    ["that is a list", () => fileOf("[]")],
    ["with a key that means something else", () => fileOf('{"providers":{},"__proto__":{"a":1}}')],
  ])("is refused: one %s", (_which, file) => {
    expect(() => loadPrices(file())).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
  });
});
