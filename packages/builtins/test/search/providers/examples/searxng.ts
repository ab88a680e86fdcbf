import type { ServiceExample } from "../service-example.ts";

/** As its reference has it; see the address in its source. */
export const searxngExample: ServiceExample = {
  name: "searxng",
  settings: (baseUrl) => ({ searxng: { url: baseUrl } }),
  request: {
    method: "GET",
    path: "/search",
    parameters: {
      q: "heat pumps (site:example.ch OR site:example.de) -site:ads.example",
      format: "json",
      language: "de-CH",
      time_range: "year",
    },
  },
  answer: {
    query: "heat pumps",
    number_of_results: 0,
    results: [
      {
        url: "https://www.example.ch/pumps",
        title: "Heat pumps",
        content: "How loud a heat pump may be.",
        publishedDate: "2026-03-04T05:06:07",
        engine: "duckduckgo",
        engines: ["duckduckgo", "mojeek"],
        positions: [1, 3],
        score: 2.6,
        category: "general",
      },
      { url: "https://example.de/2", title: "Second", content: null, publishedDate: null },
    ],
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: ["heat pump noise"],
    unresponsive_engines: [["qwant", "timeout"]],
  },
  answerWith: (results) => ({ results }),
  urlField: "url",
  hits: [
    {
      title: "Heat pumps",
      url: "https://www.example.ch/pumps",
      snippet: "How loud a heat pump may be.",
      publishedAt: "2026-03-04T05:06:07.000Z",
    },
    { title: "Second", url: "https://example.de/2", snippet: "" },
  ],
  empty: { query: "heat pumps", number_of_results: 0, results: [] },
  failures: [
    ["an instance without JSON", { status: 403, body: "<!doctype html><title>403 Forbidden</title>" }, "misconfigured"],
    ["the limiter", { status: 429, body: "<!doctype html><title>Too Many Requests</title>" }, "rate_limited"],
    ["an empty query", { status: 400, body: "<!doctype html><p>No query" }, "rejected"],
  ],
};
