import { KEY, type ServiceExample } from "../service-example.ts";

const braveError = (status: number, code: string) => ({
  type: "ErrorResponse",
  error: { id: "8a1d", status, code, detail: `the token ${KEY} is refused` },
  time: 1_763_712_000,
});

/** As its reference has it; see the address in its source. */
export const braveExample: ServiceExample = {
  name: "brave",
  settings: (baseUrl) => ({ brave: { apiKey: KEY, baseUrl } }),
  request: {
    method: "GET",
    path: "/res/v1/web/search",
    parameters: {
      q: "heat pumps (site:example.ch OR site:example.de) -site:ads.example",
      count: "5",
      country: "CH",
      search_lang: "de",
      freshness: "2026-01-01to2026-06-30",
      result_filter: "web",
      text_decorations: "false",
    },
    key: ["x-subscription-token", KEY],
  },
  answer: {
    type: "search",
    query: { original: "heat pumps", more_results_available: true },
    web: {
      type: "search",
      results: [
        {
          title: "Heat <strong>pumps</strong> &amp; noise",
          url: "https://www.example.ch/pumps",
          description: "How loud a <strong>heat pump</strong> may be.",
          page_age: "2026-03-04T05:06:07",
          language: "de",
          profile: { name: "Example", long_name: "example.ch" },
          extra_snippets: ["At night 45 dB."],
        },
        { title: "Second", url: "https://example.de/2", description: "Undated.", age: "3 days ago" },
        { title: "no web address", url: "javascript:alert(1)", description: "" },
      ],
    },
  },
  answerWith: (results) => ({ web: { results } }),
  urlField: "url",
  hits: [
    {
      title: "Heat pumps & noise",
      url: "https://www.example.ch/pumps",
      snippet: "How loud a heat pump may be. At night 45 dB.",
      publishedAt: "2026-03-04T05:06:07.000Z",
      siteName: "Example",
      language: "de",
    },
    { title: "Second", url: "https://example.de/2", snippet: "Undated.", publishedAt: "2026-11-17" },
  ],
  empty: { type: "search", query: { original: "heat pumps" } },
  failures: [
    ["a wrong token", { status: 422, body: braveError(422, "SUBSCRIPTION_TOKEN_INVALID") }, "misconfigured"],
    [
      "more than one request in a second",
      {
        status: 429,
        headers: { "x-ratelimit-remaining": "0, 1000", "x-ratelimit-reset": "1, 1419704" },
        body: braveError(429, "RATE_LIMITED"),
      },
      "rate_limited",
      1_000,
    ],
    [
      "the month's quota",
      {
        status: 429,
        headers: { "x-ratelimit-remaining": "1, 0", "x-ratelimit-reset": "1, 1419704" },
        body: braveError(429, "QUOTA_LIMITED"),
      },
      "quota_exhausted",
      1_419_704_000,
    ],
    ["a wrong parameter", { status: 422, body: braveError(422, "VALIDATION") }, "rejected"],
  ],
};
