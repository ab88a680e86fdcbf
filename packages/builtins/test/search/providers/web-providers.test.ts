import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { testGuard } from "../../../../egress/test/support/guards.ts";
import { startServer } from "../../../../egress/test/support/servers.ts";
import {
  type SearchContext,
  SearchFailure,
  type SearchFailureReason,
  type SearchQuery,
} from "../../../src/search/port.ts";
import { webProviders } from "../../../src/search/providers/web-providers.ts";
import { searchSettingsSchema } from "../../../src/search/search-settings.ts";
import { KEY, type ServiceExample, type StubbedAnswer } from "./service-example.ts";
import { SERVICE_EXAMPLES } from "./service-examples.ts";

const NOW = Date.parse("2026-11-20T00:00:00Z");

const plain: SearchQuery = { text: "heat pumps", maxResults: 5, allowedDomains: [], blockedDomains: [] };
const filtered: SearchQuery = {
  ...plain,
  allowedDomains: ["example.ch", "example.de"],
  blockedDomains: ["ads.example"],
  publishedAfter: "2026-01-01",
  publishedBefore: "2026-06-30",
  language: "de",
  country: "CH",
};

interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A provider whose service is a local server with these answers, the last one for all further requests. */
async function providerOf(
  example: ServiceExample,
  answers: readonly StubbedAnswer[],
  context: Partial<SearchContext> = {},
) {
  const received: Received[] = [];
  const server = await startServer(async (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(request, "end");
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "", "http://service.test");
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const {
      status = 200,
      headers: extra = {},
      body,
    } = answers[Math.min(received.length, answers.length) - 1] ?? { body: {} };
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...extra });
    response.end(isText ? body : JSON.stringify(body));
  });
  const settings = searchSettingsSchema.parse(example.settings(`http://127.0.0.1:${server.port}`));
  const [provider] = webProviders(settings, { egress: testGuard(), now: () => NOW });
  if (provider === undefined) throw new Error("expected a provider");
  const signal = new AbortController().signal;
  const complete = { workspaceId: "ws_1", deadline: NOW + 5_000, signal, ...context };
  return { received, search: (query: SearchQuery = plain) => provider.search(query, complete) };
}

async function failureOf(search: Promise<unknown>): Promise<SearchFailure> {
  const error = await search.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SearchFailure)) throw new Error(`expected a SearchFailure, got ${String(error)}`);
  return error;
}

// Requests, answers and failures are as each service's reference describes them; see the addresses in the sources.
describe.each(SERVICE_EXAMPLES.map((example) => [example.name, example] as const))("%s", (_name, example) => {
  it("is asked as it documents, all filters included", async () => {
    const { received, search } = await providerOf(example, [{ body: example.answer }]);
    await search(filtered);
    expect(received).toHaveLength(1);
    const [{ method, url, headers, body } = { method: "", url: new URL("http://none.test"), headers: {}, body: "" }] =
      received;
    const { request } = example;
    expect([method, url.pathname]).toEqual([request.method, request.path]);
    expect(Object.fromEntries(url.searchParams)).toEqual(request.parameters ?? {});
    expect(body === "" ? undefined : JSON.parse(body)).toEqual(request.body);
    if (request.key !== undefined) expect(headers[request.key[0]]).toBe(request.key[1]);
    expect(url.href + body).not.toContain(KEY);
  });

  it("is read as it documents", async () => {
    const { search } = await providerOf(example, [{ body: example.answer }]);
    expect(await search()).toEqual({ hits: example.hits, requests: 1 });
  });

  it("finds nothing where there is nothing", async () => {
    const { search } = await providerOf(example, [{ body: example.empty }]);
    expect(await search()).toEqual({ hits: [], requests: 1 });
  });

  it("is read without the rows that can't be", async () => {
    const rows = [null, 5, { title: "no address" }, { title: 5, [example.urlField]: "https://a.example/" }];
    const { search } = await providerOf(example, [{ body: example.answerWith(rows) }]);
    expect((await search()).hits).toMatchObject([{ url: "https://a.example/" }]);
  });

  it("gives no more than was asked for", async () => {
    const { search } = await providerOf(example, [{ body: example.answer }]);
    expect((await search({ ...plain, maxResults: 1 })).hits).toEqual(example.hits.slice(0, 1));
  });

  it.each<[string, StubbedAnswer, SearchFailureReason, number?]>(example.failures)(
    "tells %s",
    async (_failure, answer, reason, retryAfterMs) => {
      const { search } = await providerOf(example, [answer]);
      const failure = await failureOf(search());
      expect([failure.reason, failure.retryAfterMs]).toEqual([reason, retryAfterMs]);
      expect(failure.message).toContain(example.name);
      expect(`${failure.message} ${failure.stack}`).not.toContain(KEY);
    },
  );

  it.each<[string, StubbedAnswer, SearchFailureReason, number?]>([
    ["a 401", { status: 401, body: {} }, "misconfigured"],
    ["a 402", { status: 402, body: {} }, "quota_exhausted"],
    ["a 429 with a time", { status: 429, headers: { "retry-after": "30" }, body: {} }, "rate_limited", 30_000],
    [
      "a 429 with a date",
      { status: 429, headers: { "retry-after": "Fri, 20 Nov 2026 00:01:00 GMT" }, body: {} },
      "rate_limited",
      60_000,
    ],
    ["a 500", { status: 500, body: "<h1>Internal Server Error</h1>" }, "unavailable"],
    ["a 503 with a time", { status: 503, headers: { "retry-after": "2" }, body: {} }, "unavailable", 2_000],
    ["a redirect", { status: 302, headers: { location: "https://elsewhere.test/" }, body: {} }, "misconfigured"],
    ["a page in place of JSON", { body: "<!doctype html><title>Sign in</title>" }, "bad_answer"],
    ["results that are no list", { body: example.answerWith("none") }, "bad_answer"],
    ["results of which none can be read", { body: example.answerWith([null, { title: "no address" }]) }, "bad_answer"],
    ["JSON that is cut off", { body: '{"results": [' }, "bad_answer"],
    ["an answer that is too large", { body: { results: ["x".repeat(5_000_000)] } }, "bad_answer"],
  ])("is not trusted with %s", async (_failure, answer, reason, retryAfterMs) => {
    const { search } = await providerOf(example, [answer]);
    const failure = await failureOf(search());
    expect([failure.reason, failure.retryAfterMs]).toEqual([reason, retryAfterMs]);
  });

  it("is not asked when nobody waits, or no time is left", async () => {
    const cancelled = await providerOf(example, [{ body: example.answer }], { signal: AbortSignal.abort() });
    expect((await failureOf(cancelled.search())).reason).toBe("aborted");
    const late = await providerOf(example, [{ body: example.answer }], { deadline: NOW });
    expect((await failureOf(late.search())).reason).toBe("unavailable");
    expect([...cancelled.received, ...late.received]).toEqual([]);
  });
});

describe("google", () => {
  const example = SERVICE_EXAMPLES.find(({ name }) => name === "google");
  const page = (from: number) => ({
    body: {
      items: Array.from({ length: 10 }, (_, index) => ({ title: "t", link: `https://a.example/${from + index}` })),
    },
  });

  it("is asked for a second page beyond ten", async () => {
    if (example === undefined) throw new Error("expected google");
    const { received, search } = await providerOf(example, [page(1), page(11)]);
    const { hits, requests } = await search({ ...plain, maxResults: 15 });
    expect(requests).toBe(2);
    expect(hits.map(({ url }) => url).at(-1)).toBe("https://a.example/15");
    expect(received.map(({ url }) => [url.searchParams.get("start"), url.searchParams.get("num")])).toEqual([
      [null, "10"],
      ["11", "5"],
    ]);
  });

  it("is given a single domain by its own parameter", async () => {
    if (example === undefined) throw new Error("expected google");
    const { received, search } = await providerOf(example, [page(1)]);
    await search({ ...plain, allowedDomains: ["example.ch"] });
    await search({ ...plain, blockedDomains: ["example.ch"] });
    expect(
      received.map(({ url }) => ["q", "siteSearch", "siteSearchFilter"].map((name) => url.searchParams.get(name))),
    ).toEqual([
      ["heat pumps", "example.ch", "i"],
      ["heat pumps", "example.ch", "e"],
    ]);
  });
});

it("a SearXNG without the json format is told by what to do, and not only by its status", async () => {
  const example = SERVICE_EXAMPLES.find(({ name }) => name === "searxng");
  if (example === undefined) throw new Error("expected searxng");
  const { search } = await providerOf(example, [{ status: 403, body: "<!doctype html><title>403 Forbidden</title>" }]);
  expect((await failureOf(search())).message).toBe(
    "searxng rejected its key or settings (status 403: enable the json format in the SearXNG setting search.formats)",
  );
});

it("a SearXNG whose engines are silent has failed, unless there are results", async () => {
  const example = SERVICE_EXAMPLES.find(({ name }) => name === "searxng");
  if (example === undefined) throw new Error("expected searxng");
  const unresponsive_engines = [
    ["bing", "timeout"],
    ["google", "CAPTCHA"],
  ];
  const silent = await providerOf(example, [{ body: { results: [], unresponsive_engines } }]);
  const failure = await failureOf(silent.search());
  expect(failure.reason).toBe("unavailable");
  expect(failure.message).toContain("2 of its engines did not respond");
  const partial = await providerOf(example, [
    { body: { results: [{ url: "https://a.example/" }], unresponsive_engines } },
  ]);
  expect((await partial.search()).hits).toHaveLength(1);
});

it("a service at an address that nobody opened is not asked", async () => {
  const settings = searchSettingsSchema.parse({ searxng: { url: "http://127.0.0.1:9" } });
  const [provider] = webProviders(settings, { egress: testGuard({ allowCidrs: [] }), now: () => NOW });
  const context = { workspaceId: "ws_1", deadline: NOW + 5_000, signal: new AbortController().signal };
  const failure = await failureOf(provider?.search(plain, context) ?? Promise.resolve());
  expect(failure.reason).toBe("misconfigured");
  expect(failure.message).not.toContain("127.0.0.1");
});
