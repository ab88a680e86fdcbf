import { describe, expect, it } from "vitest";
import type { SearchQuery } from "../../../src/search/port.ts";
import { braveFormat } from "../../../src/search/providers/brave.ts";
import { exaFormat } from "../../../src/search/providers/exa.ts";
import { googleFormat } from "../../../src/search/providers/google.ts";
import { searxngFormat } from "../../../src/search/providers/searxng.ts";
import { serperFormat } from "../../../src/search/providers/serper.ts";
import { tavilyFormat } from "../../../src/search/providers/tavily.ts";
import type { WireFormat } from "../../../src/search/providers/wire-format.ts";

const options = { apiKey: "k", engineId: "e", baseUrl: "https://service.example", now: () => 0 };
const query: SearchQuery = { text: "pumps", maxResults: 5, allowedDomains: [], blockedDomains: [] };

describe("an answer with odd rows", () => {
  it.each<[WireFormat, field: string, answerOf: (rows: readonly unknown[]) => unknown]>([
    [braveFormat(options), "url", (results) => ({ web: { results } })],
    [tavilyFormat(options), "url", (results) => ({ results })],
    [exaFormat(options), "url", (results) => ({ results })],
    [serperFormat(options), "link", (organic) => ({ organic })],
    [googleFormat(options), "link", (items) => ({ items })],
    [searxngFormat(options), "url", (results) => ({ results })],
  ])("of $name keeps the others, and is none where all are odd", (format, field, answerOf) => {
    const rows = [null, 5, { title: "no address" }, { title: 5, [field]: "https://a.example/" }];
    expect(format.hits(answerOf(rows), query)).toMatchObject([{ url: "https://a.example/" }]);
    expect(() => format.hits(answerOf([null]), query)).toThrow("expected results");
    expect(format.hits(answerOf([]), query)).toEqual([]);
  });
});

describe("a SearXNG whose engines are silent", () => {
  it("has not found nothing, but failed; with results it has not", () => {
    const format = searxngFormat(options);
    const silent = {
      unresponsive_engines: [
        ["bing", "timeout"],
        ["google", "CAPTCHA"],
      ],
    };
    const failure = { reason: "unavailable", message: expect.stringContaining("2 of its engines did not respond") };
    expect(() => format.hits({ results: [], ...silent }, query)).toThrow(expect.objectContaining(failure));
    expect(format.hits({ results: [{ url: "https://a.example/" }], ...silent }, query)).toHaveLength(1);
  });
});
