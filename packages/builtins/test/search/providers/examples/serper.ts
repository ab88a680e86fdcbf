import { KEY, type ServiceExample } from "../service-example.ts";

/** As its reference has it; see the address in its source. */
export const serperExample: ServiceExample = {
  name: "serper",
  settings: (baseUrl) => ({ serper: { apiKey: KEY, baseUrl } }),
  request: {
    method: "POST",
    path: "/search",
    key: ["x-api-key", KEY],
    body: {
      q: "heat pumps (site:example.ch OR site:example.de) -site:ads.example",
      num: 5,
      gl: "ch",
      hl: "de",
      tbs: "cdr:1,cd_min:1/1/2026,cd_max:6/30/2026",
    },
  },
  answer: {
    searchParameters: { q: "heat pumps", type: "search", engine: "google" },
    organic: [
      {
        title: "Heat pumps",
        link: "https://www.example.ch/pumps",
        snippet: "How loud a heat pump may be.",
        date: "Mar 4, 2026",
        position: 1,
      },
      { title: "Second", link: "https://example.de/2", position: 2 },
    ],
    credits: 1,
  },
  answerWith: (organic) => ({ organic }),
  urlField: "link",
  hits: [
    {
      title: "Heat pumps",
      url: "https://www.example.ch/pumps",
      snippet: "How loud a heat pump may be.",
      publishedAt: "2026-03-04",
    },
    { title: "Second", url: "https://example.de/2", snippet: "" },
  ],
  empty: { searchParameters: { q: "heat pumps" }, organic: [], credits: 1 },
  failures: [
    ["a wrong key", { status: 403, body: { message: "Unauthorized.", statusCode: 403 } }, "misconfigured"],
    ["no credits", { status: 400, body: { message: "Not enough credits", statusCode: 400 } }, "quota_exhausted"],
    [
      "a query that it does not take",
      { status: 400, body: { message: "Query not allowed", statusCode: 400 } },
      "rejected",
    ],
    ["too many requests", { status: 429, body: { message: "Rate limit exceeded", statusCode: 429 } }, "rate_limited"],
  ],
};
