import { KEY, type ServiceExample } from "../service-example.ts";

/** As its reference has it; see the address in its source. */
export const tavilyExample: ServiceExample = {
  name: "tavily",
  settings: (baseUrl) => ({ tavily: { apiKey: KEY, baseUrl } }),
  request: {
    method: "POST",
    path: "/search",
    key: ["authorization", `Bearer ${KEY}`],
    body: {
      query: "heat pumps",
      topic: "general",
      search_depth: "basic",
      max_results: 5,
      include_domains: ["example.ch", "example.de"],
      exclude_domains: ["ads.example"],
      start_date: "2026-01-01",
      end_date: "2026-06-30",
      country: "switzerland",
    },
  },
  answer: {
    query: "heat pumps",
    answer: null,
    images: [],
    results: [
      {
        title: "Heat pumps",
        url: "https://www.example.ch/pumps",
        content: "How loud a heat pump may be.",
        score: 0.91,
        raw_content: "# Heat pumps\n\nAt night 45 dB.",
        published_date: "Wed, 04 Mar 2026 05:06:07 GMT",
      },
      { title: null, url: "https://example.de/2", content: "Undated.", score: 0.4, raw_content: null },
    ],
    response_time: "1.1",
  },
  answerWith: (results) => ({ results }),
  urlField: "url",
  hits: [
    {
      title: "Heat pumps",
      url: "https://www.example.ch/pumps",
      snippet: "How loud a heat pump may be.",
      content: "# Heat pumps\n\nAt night 45 dB.",
      publishedAt: "2026-03-04T05:06:07.000Z",
    },
    { title: "https://example.de/2", url: "https://example.de/2", snippet: "Undated." },
  ],
  empty: { query: "heat pumps", results: [] },
  failures: [
    ["a wrong key", { status: 401, body: { detail: { error: `Unauthorized: ${KEY}` } } }, "misconfigured"],
    [
      "too many requests a minute",
      { status: 429, headers: { "retry-after": "7" }, body: { detail: { error: "too many requests" } } },
      "rate_limited",
      7_000,
    ],
    ["the plan's limit", { status: 432, body: { detail: { error: "over the plan" } } }, "quota_exhausted"],
    ["the limit beyond the plan", { status: 433, body: { detail: { error: "over the limit" } } }, "quota_exhausted"],
    ["a wrong topic", { status: 400, body: { detail: { error: "no such topic" } } }, "rejected"],
  ],
};
