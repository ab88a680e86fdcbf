import { KEY, type ServiceExample } from "../service-example.ts";

const googleError = (code: number, status: string, reason: string) => ({
  error: {
    code,
    message: `API key ${KEY} is not valid`,
    errors: [{ message: "no", domain: "global", reason }],
    status,
    details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "googleapis.com" }],
  },
});

/** As its reference has it; see the address in its source. */
export const googleExample: ServiceExample = {
  name: "google",
  settings: (baseUrl) => ({ google: { apiKey: KEY, engineId: "0123:abc", baseUrl } }),
  request: {
    method: "GET",
    path: "/customsearch/v1",
    parameters: {
      cx: "0123:abc",
      q: "heat pumps (site:example.ch OR site:example.de) -site:ads.example",
      num: "5",
      lr: "lang_de",
      gl: "ch",
      sort: "date:r:20260101:20260630",
    },
    key: ["x-goog-api-key", KEY],
  },
  answer: {
    kind: "customsearch#search",
    queries: { request: [{ totalResults: "2", count: 2, startIndex: 1 }] },
    items: [
      {
        kind: "customsearch#result",
        title: "Heat pumps",
        link: "https://www.example.ch/pumps",
        displayLink: "www.example.ch",
        snippet: "How loud a heat\npump may be.",
        pagemap: { metatags: [{ "article:published_time": "2026-03-04T06:06:07+01:00", "og:site_name": "Example" }] },
      },
      { title: "Second", link: "https://example.de/2", snippet: "Undated." },
    ],
  },
  answerWith: (items) => ({ items }),
  urlField: "link",
  hits: [
    {
      title: "Heat pumps",
      url: "https://www.example.ch/pumps",
      snippet: "How loud a heat pump may be.",
      publishedAt: "2026-03-04T05:06:07.000Z",
      siteName: "Example",
    },
    { title: "Second", url: "https://example.de/2", snippet: "Undated." },
  ],
  empty: { kind: "customsearch#search", searchInformation: { totalResults: "0" } },
  failures: [
    ["a wrong key", { status: 400, body: googleError(400, "INVALID_ARGUMENT", "API_KEY_INVALID") }, "misconfigured"],
    [
      "an API that is not on",
      { status: 403, body: googleError(403, "PERMISSION_DENIED", "accessNotConfigured") },
      "misconfigured",
    ],
    [
      "the day's quota",
      { status: 403, body: googleError(403, "PERMISSION_DENIED", "dailyLimitExceeded") },
      "quota_exhausted",
    ],
    [
      "too many requests",
      { status: 429, body: googleError(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED") },
      "rate_limited",
    ],
    ["a wrong parameter", { status: 400, body: googleError(400, "INVALID_ARGUMENT", "badRequest") }, "rejected"],
  ],
};
