import { isErrorCode, type JsonObject } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { testGuard } from "../../egress/test/support/guards.ts";
import { startServer } from "../../egress/test/support/servers.ts";
import { createBuiltinExecutor } from "../../gateway/src/tools/executors/builtin-executor.ts";
import type { BuiltinTool } from "../src/builtin-tool.ts";
import { createSearch } from "../src/search/create-search.ts";
import { SearchFailure, type SearchFailureReason } from "../src/search/port.ts";
import { webProviders } from "../src/search/providers/web-providers.ts";
import { searchSettingsSchema } from "../src/search/search-settings.ts";
import { createPageFetcher } from "../src/web/fetching/page-fetcher.ts";
import { findInjections } from "../src/web/injection/find-injections.ts";
import { createDocumentReader } from "../src/web/reading/document-reader.ts";
import { parseWebSearchConfig } from "../src/web-search/web-search-config.ts";
import { createWebSearchTool } from "../src/web-search/web-search-tool.ts";
import { builtinContext } from "./builtin-context.ts";
import { hit, NOW, scriptedProvider, searchWorld } from "./search/support/search-world.ts";

const reader = createDocumentReader();
afterAll(() => reader.close());

const context = (parts: Parameters<typeof builtinContext>[0] = {}) =>
  builtinContext({ now: () => NOW, deadline: NOW + 30_000, ...parts });

function configured(tool: BuiltinTool, config: JsonObject): BuiltinTool {
  const made = tool.configure?.(config);
  if (made === undefined || !("tool" in made)) throw new Error(`expected a tool, got ${JSON.stringify(made)}`);
  return made.tool;
}

function world(pages: Parameters<typeof searchWorld>[1] = {}) {
  const provider = scriptedProvider("brave", () => [hit("https://a.example/1"), hit("https://b.example/2")]);
  const { search, fetched } = searchWorld([provider], pages, { usdPerRequest: () => 0.005 });
  return { provider, fetched, tool: createWebSearchTool({ search }) };
}

describe("web_search", () => {
  it("gives evidence, and says what it cost", async () => {
    const { tool } = world({ "https://a.example/1": "Heat pumps are quiet." });
    const outcome = await tool.execute({ query: "heat pumps", maxResults: 1 }, context());
    expect(outcome).toMatchObject({
      result: { provider: "brave", source_untrusted: true, results: [{ id: 1, url: "https://a.example/1" }] },
      cost: { usd: 0.005, credits: 0 },
    });
  });

  it("costs the call what it cost, and nothing the second time", async () => {
    const { tool } = world();
    const executor = createBuiltinExecutor(tool, { now: () => NOW });
    const { workspaceId, executionId, toolCallId, signal } = context();
    const parameters = { query: "pumps" };
    const call = { workspaceId, executionId, toolCallId, agentId: "agt_1", name: "web_search", parameters, attempt: 1 };
    const run = () => executor.execute(call, { deadline: NOW + 10_000, signal, beforeSend: () => {} });
    expect([(await run()).cost, (await run()).cost]).toEqual([
      { usd: 0.005, credits: 0 },
      { usd: 0, credits: 0 },
    ]);
  });

  it.each<[name: string, failure: SearchFailure, cost: object]>([
    ["was answered, and could not be read", new SearchFailure("bad_answer", "no JSON"), { usd: 0.005 }],
    ["brought one page of two", new SearchFailure("bad_answer", "no JSON", { requests: 2 }), { usd: 0.01 }],
    ["may have been answered", new SearchFailure("unavailable", "no answer"), { usd: 0, isPartial: true }],
    ["was refused", new SearchFailure("rate_limited", "asked too often"), { usd: 0 }],
  ])("costs a call that fails what its request costs that %s", async (_name, failure, cost) => {
    const { search } = searchWorld([scriptedProvider("brave", () => failure)], {}, { usdPerRequest: () => 0.005 });
    const outcome = await createWebSearchTool({ search }).execute({ query: "pumps" }, context());
    expect([Object.keys(outcome), outcome.cost]).toEqual([["error", "cost"], { credits: 0, ...cost }]);
  });

  it.each([
    ["it is cancelled while pages are read", true, { usd: 0.005, credits: 0 }],
    ["it is cancelled while a provider is asked", false, { usd: 0, credits: 0, isPartial: true }],
  ])("costs a call what it has cost when %s", async (_name, isAnswered, cost) => {
    const reached = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    const stop = () => {
      reached.resolve();
      return never;
    };
    const provider = scriptedProvider("brave", () => (isAnswered ? [hit("https://a.example/1")] : stop()));
    const parts = { pages: { fetch: stop }, findInjections, usdPerRequest: () => 0.005, now: () => NOW };
    const tool = createWebSearchTool({ search: createSearch({ providers: [provider], ...parts }) });
    const controller = new AbortController();
    const { workspaceId, executionId, toolCallId } = context();
    const parameters = { query: "pumps" };
    const call = { workspaceId, executionId, toolCallId, agentId: "agt_1", name: "web_search", parameters, attempt: 1 };
    const outcome = createBuiltinExecutor(tool, { now: () => NOW }).execute(call, {
      deadline: NOW + 10_000,
      signal: controller.signal,
      beforeSend: () => {},
    });
    await reached.promise;
    controller.abort();
    expect(await outcome).toMatchObject({ answer: { failure: { code: "CANCELLED" } }, cost });
    expect((await outcome).cost).toEqual(cost);
  });

  it("holds a call to what its agent's author allows", async () => {
    const { tool, provider } = world();
    const strict = configured(tool, {
      allowedDomains: ["A.example"],
      blockedDomains: ["ads.a.example"],
      recency: "month",
      language: "de",
      country: "CH",
      maxResults: 2,
      fetchPages: 0,
    });
    const { result } = { result: undefined, ...(await strict.execute({ query: "pumps" }, context())) };
    expect(result).toMatchObject({ results: [{ url: "https://a.example/1" }], omitted: { byDomain: 1 } });
    expect(provider.queries).toMatchObject([
      {
        allowedDomains: ["a.example"],
        blockedDomains: ["ads.a.example"],
        publishedAfter: "2026-10-21",
        language: "de",
        country: "CH",
      },
    ]);
    expect(await strict.execute({ query: "pumps", domains: ["b.example"] }, context())).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: "domains: b.example is not allowed; allowed: a.example" },
    });
    await strict.execute({ query: "pumps", domains: ["sub.a.example"], recency: "any" }, context());
    expect(provider.queries[1]).toMatchObject({ allowedDomains: ["sub.a.example"] });
    expect(provider.queries[1]?.publishedAfter).toBeUndefined();
  });

  it("searches anew when it is asked to", async () => {
    const { tool, provider } = world();
    for (const rest of [{}, {}, { fresh: true }, { maxAgeSeconds: 0 }, { maxAgeSeconds: 60 }]) {
      await tool.execute({ query: "pumps", ...rest }, context());
    }
    expect(provider.queries).toHaveLength(3);
  });

  it("asks the model for queries only where its author says so", async () => {
    const { tool, provider } = world();
    const questions: string[] = [];
    const askModel = async ({ text }: { readonly text: string }) => {
      questions.push(text);
      return { text: '["quiet heat pumps"]', isCut: false };
    };
    await tool.execute({ query: "pumps" }, context({ askModel }));
    expect(questions).toEqual([]);
    const asking = configured(tool, { rewrite: "model" });
    expect([tool.asksModel, asking.asksModel]).toEqual([undefined, true]);
    await asking.execute({ query: "pumps" }, context({ askModel }));
    expect(questions).toHaveLength(1);
    expect(provider.queries.map(({ text }) => text)).toEqual(["pumps", "quiet heat pumps"]);
  });

  it("reads real pages of a real service", async () => {
    const page = (title: string, text: string) =>
      `<!doctype html><html lang="en"><head><title>${title}</title><meta property="article:published_time" content="2026-05-06T07:08:09Z"></head><body><nav>Home</nav><article><h1>${title}</h1><p>${text}</p><p>${"It was measured by the office in the winter of that year. ".repeat(8)}</p></article></body></html>`;
    const server = await startServer((request, response) => {
      const origin = `http://127.0.0.1:${server.port}`;
      if (request.url?.startsWith("/search") === true) {
        const results = ["noise", "price"].map((name) => ({ url: `${origin}/${name}`, title: name, content: "…" }));
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
        return;
      }
      const text =
        request.url === "/noise" ? "A heat pump may make 45 dB of noise at night." : "A heat pump costs money.";
      response.writeHead(200, { "content-type": "text/html" }).end(page(`About ${request.url}`, text));
    });
    const egress = testGuard();
    const settings = searchSettingsSchema.parse({ searxng: { url: `http://127.0.0.1:${server.port}` } });
    const search = createSearch({
      providers: webProviders(settings, { egress, now: Date.now }),
      pages: createPageFetcher({ egress, reader, now: Date.now }),
      findInjections,
      now: Date.now,
    });
    const tool = createWebSearchTool({ search });
    const outcome = await tool.execute(
      { query: "how much noise at night" },
      context({ deadline: Date.now() + 20_000 }),
    );
    expect(outcome).toMatchObject({
      result: {
        provider: "searxng",
        warnings: [],
        results: [
          {
            id: 1,
            url: `http://127.0.0.1:${server.port}/noise`,
            basis: "page",
            publishedAt: "2026-05-06T07:08:09Z",
            claims: [{ text: expect.stringContaining("A heat pump may make 45 dB of noise at night.") }],
          },
          { id: 2 },
        ],
      },
    });
  }, 20_000);

  it.each<[SearchFailureReason, string, boolean]>([
    ["rate_limited", "RATE_LIMITED", true],
    ["quota_exhausted", "RATE_LIMITED", false],
    ["misconfigured", "NOT_CONFIGURED", false],
    ["rejected", "INVALID_ARGUMENTS", true],
    ["unavailable", "NETWORK_ERROR", true],
    ["bad_answer", "INVALID_RESPONSE", true],
  ])("tells the model of %s", async (reason, code, retryable) => {
    const failing = scriptedProvider(
      "brave",
      () => new SearchFailure(reason, "brave said no", { retryAfterMs: 7_000 }),
    );
    const tool = createWebSearchTool({ search: searchWorld([failing]).search });
    const outcome = await tool.execute({ query: "pumps" }, context());
    expect(outcome).toMatchObject({ error: { code, retryable, hint: expect.any(String) } });
    const { message = "" } = "error" in outcome ? outcome.error : {};
    expect(message).toBe(
      `no search provider responded: brave said no${retryable ? "; retry after 7 s at the earliest" : ""}`,
    );
    expect(isErrorCode(code)).toBe(true);
  });

  it.each([
    ["nothing to search for", { query: "   " }, "query: expected text to search for"],
    [
      "a URL for a domain",
      { query: "a", domains: ["https://a.example"] },
      "domains: expected domains such as example.com, without a scheme or a path",
    ],
  ])("tells the model to correct %s", async (_name, parameters, message) => {
    expect(await world().tool.execute(parameters, context())).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message, retryable: true },
    });
  });

  it("ends when nobody waits", async () => {
    const controller = new AbortController();
    const leaving = scriptedProvider("brave", () => {
      controller.abort();
      return new SearchFailure("aborted", "gone");
    });
    const tool = createWebSearchTool({ search: searchWorld([leaving]).search });
    const outcome = await tool.execute({ query: "pumps" }, context({ signal: controller.signal }));
    expect(outcome).toMatchObject({ error: { code: "CANCELLED" } });
  });
});

describe("the configuration of web_search", () => {
  it.each<[string, JsonObject, string, string]>([
    ["a field that is none", { maxResult: 3 }, "maxResult", "UNRECOGNIZED_KEYS"],
    ["an unknown provider", { providers: ["bing"] }, "providers[0]", "INVALID_VALUE"],
    ["a provider that the gateway lacks", { providers: ["brave", "exa"] }, "providers[1]", "SEARCH_PROVIDER_MISSING"],
    ["a URL for a domain", { allowedDomains: ["https://a.example"] }, "allowedDomains[0]", "INVALID_FORMAT"],
    ["a wildcard", { blockedDomains: ["*.a.example"] }, "blockedDomains[0]", "INVALID_FORMAT"],
    ["too many results", { maxResults: 21 }, "maxResults", "TOO_BIG"],
    ["too many pages", { fetchPages: 11 }, "fetchPages", "TOO_BIG"],
    ["too small a budget", { tokenBudget: 100 }, "tokenBudget", "TOO_SMALL"],
    ["an unknown time", { recency: "hour" }, "recency", "INVALID_VALUE"],
    ["an unknown way", { rewrite: "always" }, "rewrite", "INVALID_VALUE"],
    ["an unknown way to ask", { ask: "some" }, "ask", "INVALID_VALUE"],
    ["no language", { language: "german please" }, "language", "INVALID_FORMAT"],
    ["no country", { country: "CHE" }, "country", "INVALID_FORMAT"],
  ])("refuses %s", (_name, config, path, code) => {
    const made = world().tool.configure?.(config);
    const problems = made !== undefined && "problems" in made ? made.problems : [];
    expect(problems.map((problem) => [problem.path, problem.code])).toEqual([[path, code]]);
  });

  it.each<[field: string, least: number, most: number]>([
    ["maxResults", 1, 20],
    ["fetchPages", 0, 10],
    ["tokenBudget", 500, 10_000],
    ["maxAgeSeconds", 0, 604_800],
  ])("takes %s from %i to %i", (field, least, most) => {
    const isTaken = (value: number) => !("problems" in (world().tool.configure?.({ [field]: value }) ?? {}));
    expect([least - 1, least, most, most + 1].map(isTaken)).toEqual([false, true, true, false]);
  });

  it("has the defaults that its page states", () => {
    expect(parseWebSearchConfig({}, {}, undefined)).toEqual({
      config: {
        ...{ ask: "first", trusted: false, blockedDomains: [], maxResults: 5, fetchPages: 4, respectRobots: false },
        ...{ tokenBudget: 4_000, recency: "any", rewrite: "rules", maxAgeSeconds: 900 },
      },
    });
  });

  it("may trust what is found in the operator's folder, and only that", () => {
    const folder = scriptedProvider("local", () => [], "local");
    const web = scriptedProvider("brave", () => []);
    const both = createWebSearchTool({ search: searchWorld([folder, web]).search });
    expect(both.isTrusted).toBeUndefined();
    expect(configured(both, { providers: ["local"] }).isTrusted).toBeUndefined();
    expect(configured(both, { trusted: true, providers: ["local"] }).isTrusted).toBe(true);
    const alone = createWebSearchTool({ search: searchWorld([folder]).search });
    expect(alone.isTrusted).toBeUndefined();
    expect(configured(alone, { trusted: true }).isTrusted).toBe(true);
    const refused: readonly [BuiltinTool, JsonObject][] = [
      [both, { trusted: true }],
      [both, { trusted: true, providers: ["local", "brave"] }],
      [createWebSearchTool(), { trusted: true }],
    ];
    for (const [tool, config] of refused) {
      expect(tool.configure?.(config)).toMatchObject({ problems: [{ path: "trusted", code: "SEARCH_NOT_LOCAL" }] });
    }
  });

  it("may name any provider where the gateway has none, which each call says anyway", async () => {
    const tool = configured(createWebSearchTool(), { providers: ["exa"], providerHosted: false });
    expect(tool.isConfigured).toBe(false);
    expect(await tool.execute({ query: "pumps" }, context())).toMatchObject({
      error: { code: "NOT_CONFIGURED", hint: expect.stringContaining("YAGATE_SEARCH_FOLDER") },
    });
  });

  it("takes the gateway's own age of answers where it says none", async () => {
    const provider = scriptedProvider("brave", () => [hit("https://a.example/1")]);
    const { search } = searchWorld([provider]);
    const tool = createWebSearchTool({ search, maxAgeSeconds: 0 });
    await tool.execute({ query: "pumps" }, context());
    await tool.execute({ query: "pumps" }, context());
    expect(provider.queries).toHaveLength(2);
    const keeping = configured(tool, { maxAgeSeconds: 60 });
    await keeping.execute({ query: "pumps" }, context());
    expect(provider.queries).toHaveLength(2);
  });
});
