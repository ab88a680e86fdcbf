import { KEY, type ServiceExample } from "../service-example.ts";

const exaError = (tag: string) => ({ requestId: "r1", error: `refused ${KEY}`, tag });

/** As its reference has it; see the address in its source. */
export const exaExample: ServiceExample = {
  name: "exa",
  settings: (baseUrl) => ({ exa: { apiKey: KEY, baseUrl } }),
  request: {
    method: "POST",
    path: "/search",
    key: ["x-api-key", KEY],
    body: {
      query: "heat pumps",
      type: "auto",
      numResults: 5,
      includeDomains: ["example.ch", "example.de"],
      startPublishedDate: "2026-01-01T00:00:00.000Z",
      endPublishedDate: "2026-06-30T23:59:59.999Z",
      userLocation: "CH",
      contents: { highlights: true },
    },
  },
  answer: {
    requestId: "r1",
    resolvedSearchType: "neural",
    results: [
      {
        id: "https://www.example.ch/pumps",
        title: "Heat pumps",
        url: "https://www.example.ch/pumps",
        publishedDate: "2026-03-04T05:06:07.000Z",
        author: null,
        score: 0.4,
        highlights: ["How loud a heat pump may be.", "At night 45 dB."],
      },
      { id: "2", title: "Second", url: "https://example.de/2", publishedDate: null },
    ],
    costDollars: { total: 0.005 },
  },
  answerWith: (results) => ({ results }),
  urlField: "url",
  hits: [
    {
      title: "Heat pumps",
      url: "https://www.example.ch/pumps",
      snippet: "How loud a heat pump may be. … At night 45 dB.",
      publishedAt: "2026-03-04T05:06:07.000Z",
    },
    { title: "Second", url: "https://example.de/2", snippet: "" },
  ],
  empty: { requestId: "r1", results: [] },
  failures: [
    ["a wrong key", { status: 401, body: exaError("INVALID_API_KEY") }, "misconfigured"],
    ["no credits", { status: 402, body: exaError("NO_MORE_CREDITS") }, "quota_exhausted"],
    ["the key's budget", { status: 402, body: exaError("API_KEY_BUDGET_EXCEEDED") }, "quota_exhausted"],
    ["a wrong body", { status: 400, body: exaError("INVALID_REQUEST_BODY") }, "rejected"],
    ["too many requests", { status: 429, body: { error: "slower" } }, "rate_limited"],
  ],
};
