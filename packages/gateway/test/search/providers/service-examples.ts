import type { SearchFailureReason, SearchHit } from "../../../src/search/port.ts";
import type { SearchSettings } from "../../../src/search/search-settings.ts";

/** The key of all services here; it must turn up nowhere but in the header. */
export const KEY = "key-4f9a1c";

/** What a service answers, as a local server says it. */
export interface StubbedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a service's own documentation says of a request and its answers. */
export interface ServiceExample {
  readonly name: string;
  settings(baseUrl: string): Partial<SearchSettings>;
  /** Of a query with all filters: the request line, the header with the key, the body. */
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly key?: readonly [header: string, value: string];
    readonly body?: unknown;
  };
  readonly answer: unknown;
  readonly hits: readonly SearchHit[];
  readonly empty: unknown;
  readonly failures: [name: string, answer: StubbedAnswer, reason: SearchFailureReason, retryAfterMs?: number][];
}

const braveError = (status: number, code: string) => ({
  type: "ErrorResponse",
  error: { id: "8a1d", status, code, detail: `the token ${KEY} is refused` },
  time: 1_763_712_000,
});

const brave: ServiceExample = {
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

const tavily: ServiceExample = {
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

const searxng: ServiceExample = {
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

const serper: ServiceExample = {
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

const googleError = (code: number, status: string, reason: string) => ({
  error: {
    code,
    message: `API key ${KEY} is not valid`,
    errors: [{ message: "no", domain: "global", reason }],
    status,
    details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "googleapis.com" }],
  },
});

const google: ServiceExample = {
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

const exaError = (tag: string) => ({ requestId: "r1", error: `refused ${KEY}`, tag });

const exa: ServiceExample = {
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

/** All services on the network. */
export const SERVICE_EXAMPLES: readonly ServiceExample[] = [brave, tavily, searxng, serper, google, exa];
