import { afterEach, describe, expect, it, vi } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { ModelTool } from "../src/port.ts";
import { type ProvidersSettings, providersFromEnvironment } from "../src/provider-settings.ts";
import { LOOKUP_ORDER, SHIPPING_QUOTE, turnRequest } from "./support/turn-request.ts";

const ALL: ProvidersSettings = {
  openai: { apiKey: "key-1" },
  anthropic: { apiKey: "key-2" },
  google: { apiKey: "key-3" },
  mistral: { apiKey: "key-4" },
  xai: { apiKey: "key-5" },
  deepseek: { apiKey: "key-6" },
  alibaba: { apiKey: "key-7" },
  zai: { apiKey: "key-8" },
  ollama: { baseUrl: "http://127.0.0.1:11434" },
  openrouter: { apiKey: "key-9", baseUrl: "https://openrouter.ai/api/v1/" },
};

/** Where a turn of this model goes, and under which name. */
async function destinationOf(model: string, providers: ProvidersSettings) {
  const seen: { url: string; model: unknown; headers: string }[] = [];
  const models = createModels({
    providers,
    fetch: async (input, init) => {
      const body: unknown = JSON.parse(String(init?.body));
      seen.push({
        url: String(input),
        model: typeof body === "object" && body !== null && "model" in body ? body.model : null,
        headers: JSON.stringify([...new Headers(init?.headers)]),
      });
      return Response.json({ error: { message: "enough" } }, { status: 400 });
    },
  });
  const failure = await models.runTurn(turnRequest({ model })).catch((error: unknown) => error);
  return { seen, failure };
}

afterEach(() => vi.unstubAllEnvs());

// Whether a price is known is another test's question.
const FREE = { asOf: "", find: () => ({ input: 0, output: 0 }) };

describe("model names", () => {
  const openai = "https://api.openai.com/v1/responses";
  const anthropic = "https://api.anthropic.com/v1/messages";
  const google = (model: string) => `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`;
  const mistral = "https://api.mistral.ai/v1/chat/completions";
  const xai = "https://api.x.ai/v1/responses";
  const deepseek = "https://api.deepseek.com/chat/completions";
  const alibaba = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions";
  const zai = "https://api.z.ai/api/paas/v4/chat/completions";
  const ollama = "http://127.0.0.1:11434/v1/chat/completions";
  const openrouter = "https://openrouter.ai/api/v1/chat/completions";

  it.each<[string, string, string | null]>([
    ["openai/gpt-5", openai, "gpt-5"],
    ["openai/ft:gpt-4.1:org::id", openai, "ft:gpt-4.1:org::id"],
    ["gpt-5-mini", openai, "gpt-5-mini"],
    ["chatgpt-4o-latest", openai, "chatgpt-4o-latest"],
    ["o1", openai, "o1"],
    ["o3-mini", openai, "o3-mini"],
    ["o4-mini", openai, "o4-mini"],
    ["claude-sonnet-4-20250514", anthropic, "claude-sonnet-4-20250514"],
    ["anthropic/claude-opus-4-1", anthropic, "claude-opus-4-1"],
    ["gemini-2.5-flash", google("gemini-2.5-flash"), null],
    ["google/gemini-2.5-pro", google("gemini-2.5-pro"), null],
    ["gemini/gemini-2.5-pro", google("gemini-2.5-pro"), null],
    ["ft:gpt-4.1:org::id", openai, "ft:gpt-4.1:org::id"],
    ["mistral/open-mistral-nemo", mistral, "open-mistral-nemo"],
    ["mistralai/mistral-large-latest", mistral, "mistral-large-latest"],
    ["mistral-large-latest", mistral, "mistral-large-latest"],
    ["magistral-medium-latest", mistral, "magistral-medium-latest"],
    ["codestral-latest", mistral, "codestral-latest"],
    ["xai/grok-4", xai, "grok-4"],
    ["x-ai/grok-4", xai, "grok-4"],
    ["grok-4-fast-reasoning", xai, "grok-4-fast-reasoning"],
    ["deepseek/deepseek-chat", deepseek, "deepseek-chat"],
    ["deepseek-reasoner", deepseek, "deepseek-reasoner"],
    ["alibaba/qwen-max", alibaba, "qwen-max"],
    ["qwen/qwen3-max", alibaba, "qwen3-max"],
    ["dashscope/qwq-plus", alibaba, "qwq-plus"],
    ["qwen-plus", alibaba, "qwen-plus"],
    ["qwen3-max", alibaba, "qwen3-max"],
    ["zai/glm-4.6", zai, "glm-4.6"],
    ["zhipu/glm-4.6", zai, "glm-4.6"],
    ["glm-4.5-air", zai, "glm-4.5-air"],
    ["ollama/qwen3:8b", ollama, "qwen3:8b"],
    ["ollama/hf.co/someone/model:Q4_K_M", ollama, "hf.co/someone/model:Q4_K_M"],
    ["openrouter/meta-llama/llama-3.3-70b-instruct:free", openrouter, "meta-llama/llama-3.3-70b-instruct:free"],
  ])("takes %s to its provider", async (name, url, model) => {
    const { seen } = await destinationOf(name, ALL);
    expect(seen).toMatchObject([{ url, model }]);
    expect(createModels({ providers: ALL, fetch, prices: FREE }).check(name, [])).toEqual([]);
  });

  it.each([
    "llama3",
    "meta/llama-3",
    "openai/",
    "openai",
    "scripted",
    "scripted/other",
    "OpenAI/gpt-5",
    "claude",
    "qwen3:8b",
    "deepseek-r1:14b",
    "ollama",
    "ollama/",
    "olama/qwen3",
    "constructor/x",
    "toString/x",
    "__proto__/x",
    "",
    "/gpt-5",
  ])("knows no model called %j", async (name) => {
    const { seen, failure } = await destinationOf(name, ALL);
    expect(failure).toMatchObject({ name: "ModelTurnError", code: "NOT_CONFIGURED", isRetryable: false });
    expect(seen).toEqual([]);
    const issues = createModels({ providers: ALL, fetch, prices: FREE }).check(name, []);
    expect(issues).toMatchObject([{ severity: "error", path: "model", code: "UNKNOWN_MODEL" }]);
  });

  it("says of a bare name that fits nothing which forms there are", () => {
    const [issue] = createModels({ providers: ALL, fetch, prices: FREE }).check("llama3", []);
    expect(issue?.message).toMatch(
      /<provider>\/<model>.* mistral, xai, deepseek, alibaba, zai .*bare name.* qwen or glm-$/,
    );
  });

  it("says of a provider that nobody configured how to", () => {
    const [issue] = createModels({ providers: ALL, fetch, prices: FREE }).check("house/llama3", []);
    expect(issue?.message).toBe(
      "provider house is not configured; set YAGATE_PROVIDERS, or configure it for the workspace with PUT /v1/providers/house",
    );
    expect(
      createModels({ providers: ALL, fetch, prices: FREE }).check(
        "house/llama3",
        [],
        new Map([["house", "https://models.example.com/v1"]]),
      ),
    ).toEqual([]);
  });

  it.each([
    ["gpt-5", "OPENAI_API_KEY"],
    ["claude-sonnet-4-20250514", "ANTHROPIC_API_KEY"],
    ["gemini-2.5-flash", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["mistral-small-latest", "MISTRAL_API_KEY"],
    ["grok-4", "XAI_API_KEY"],
    ["deepseek-chat", "DEEPSEEK_API_KEY"],
    ["qwen-plus", "ALIBABA_API_KEY"],
    ["glm-4.6", "ZAI_API_KEY"],
  ])("names the variable that %s lacks, when it is saved and when it is run", async (name, variable) => {
    const { seen, failure } = await destinationOf(name, {});
    expect(failure).toMatchObject({ code: "NOT_CONFIGURED", message: expect.stringContaining(variable) });
    expect(seen).toEqual([]);
    const issues = createModels({ providers: {}, fetch, prices: FREE }).check(name, []);
    expect(issues).toMatchObject([
      { severity: "warning", path: "model", code: "NOT_CONFIGURED", message: expect.stringContaining(variable) },
    ]);
  });

  it.each<[string, ProvidersSettings, string]>([
    [
      "openai/m",
      { openai: { apiKey: "k", baseUrl: "https://eu.api.openai.com/v1" } },
      "https://eu.api.openai.com/v1/responses",
    ],
    [
      "openai/m",
      { openai: { apiKey: "k", baseUrl: "http://127.0.0.1:11434" } },
      "http://127.0.0.1:11434/v1/chat/completions",
    ],
    [
      "openai/m",
      { openai: { apiKey: "k", baseUrl: "https://x.example/api/" } },
      "https://x.example/api/chat/completions",
    ],
    [
      "openai/m",
      { openai: { apiKey: "k", baseUrl: "https://api.openai.com.evil.example/v1" } },
      "https://api.openai.com.evil.example/v1/chat/completions",
    ],
    ["anthropic/m", { anthropic: { apiKey: "k", baseUrl: "https://x.example" } }, "https://x.example/v1/messages"],
    ["anthropic/m", { anthropic: { apiKey: "k", baseUrl: "https://x.example/v1" } }, "https://x.example/v1/messages"],
    [
      "google/m",
      { google: { apiKey: "k", baseUrl: "https://x.example/" } },
      "https://x.example/v1beta/models/m:generateContent",
    ],
    ["mistral/m", { mistral: { apiKey: "k", baseUrl: "https://x.example" } }, "https://x.example/v1/chat/completions"],
    [
      "xai/m",
      { xai: { apiKey: "k", baseUrl: "https://eu-west-1.api.x.ai" } },
      "https://eu-west-1.api.x.ai/v1/responses",
    ],
    ["deepseek/m", { deepseek: { apiKey: "k", baseUrl: "https://x.example/" } }, "https://x.example/chat/completions"],
    [
      "alibaba/m",
      { alibaba: { apiKey: "k", baseUrl: "https://dashscope.aliyuncs.com" } },
      "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions",
    ],
    [
      "zai/m",
      { zai: { apiKey: "k", baseUrl: "https://api.z.ai/api/coding/paas/v4" } },
      "https://api.z.ai/api/coding/paas/v4/chat/completions",
    ],
  ])("takes %s to its base URL", async (name, providers, url) => {
    const { seen } = await destinationOf(name, providers);
    expect(seen.map((call) => call.url)).toEqual([url]);
  });

  it("takes no base URL and no key from the environment behind its settings' back", async () => {
    for (const provider of [
      "OPENAI",
      "ANTHROPIC",
      "GOOGLE_GENERATIVE_AI",
      "MISTRAL",
      "XAI",
      "DEEPSEEK",
      "ALIBABA",
      "ZAI",
      "OLLAMA",
    ]) {
      vi.stubEnv(`${provider}_BASE_URL`, "https://elsewhere.example");
      vi.stubEnv(`${provider}_API_KEY`, "from-the-environment");
    }
    for (const name of [
      "gpt-5",
      "claude-sonnet-4-20250514",
      "gemini-2.5-flash",
      "mistral-small-latest",
      "grok-4",
      "deepseek-chat",
      "qwen-plus",
      "glm-4.6",
      "ollama/qwen3:8b",
    ]) {
      const { seen } = await destinationOf(name, ALL);
      expect(seen[0]?.url).not.toContain("elsewhere");
      expect(seen[0]?.headers).not.toContain("from-the-environment");
      expect((await destinationOf(name, {})).failure).toMatchObject({ code: "NOT_CONFIGURED" });
    }
  });
});

describe("providers of the environment", () => {
  it.each<[string, Record<string, string>, ProvidersSettings]>([
    ["nothing", {}, {}],
    [
      "all three",
      { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b", GOOGLE_GENERATIVE_AI_API_KEY: "c" },
      { openai: { apiKey: "a" }, anthropic: { apiKey: "b" }, google: { apiKey: "c" } },
    ],
    [
      "base URLs",
      {
        OPENAI_API_KEY: "a",
        OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
        ANTHROPIC_API_KEY: "b",
        ANTHROPIC_BASE_URL: "http://127.0.0.1:2",
        GOOGLE_GENERATIVE_AI_API_KEY: "c",
        GOOGLE_GENERATIVE_AI_BASE_URL: "http://127.0.0.1:3",
      },
      {
        openai: { apiKey: "a", baseUrl: "http://127.0.0.1:1/v1" },
        anthropic: { apiKey: "b", baseUrl: "http://127.0.0.1:2" },
        google: { apiKey: "c", baseUrl: "http://127.0.0.1:3" },
      },
    ],
    ["a key with the newline of its file", { OPENAI_API_KEY: "a\n" }, { openai: { apiKey: "a" } }],
    [
      "empty values",
      { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "b", ANTHROPIC_BASE_URL: " " },
      { anthropic: { apiKey: "b" } },
    ],
    [
      "a base URL without a key, for workspaces that bring one",
      { OPENAI_BASE_URL: "http://127.0.0.1:1" },
      { openai: { baseUrl: "http://127.0.0.1:1" } },
    ],
  ])("reads %s", (_what, environment, expected) => {
    expect(providersFromEnvironment(environment)).toEqual(expected);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["a key with a line break in it", { OPENAI_API_KEY: "sk-1\nsk-2" }, /^OPENAI_API_KEY: expected/],
    ["a key with other than ASCII", { OPENAI_API_KEY: "sk-ä" }, /^OPENAI_API_KEY: expected/],
    ["a base URL that is none", { OPENAI_API_KEY: "a", OPENAI_BASE_URL: "sk-1" }, /^OPENAI_BASE_URL: expected/],
    [
      "a base URL of another scheme",
      { OPENAI_API_KEY: "a", OPENAI_BASE_URL: "ftp://sk-1" },
      /^OPENAI_BASE_URL: expected/,
    ],
  ])("refuses %s without repeating it", (_what, environment, message) => {
    const read = () => providersFromEnvironment(environment);
    expect(read).toThrow(expect.objectContaining({ code: "INVALID_REQUEST", message: expect.stringMatching(message) }));
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/sk-/) }));
  });

  it("refuses settings that no request could be made with", () => {
    expect(() => createModels({ providers: { openai: { apiKey: "a b" } }, fetch })).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringMatching(/^providers\.openai\.apiKey/),
      }),
    );
  });
});

describe("tool names", () => {
  const named = (name: string): ModelTool => ({ ...LOOKUP_ORDER, name });
  const { check } = createModels({ providers: ALL, fetch });

  it.each<[string, readonly ModelTool[], readonly string[]]>([
    ["different names", [LOOKUP_ORDER, SHIPPING_QUOTE], []],
    ["the same name twice", [named("a.b"), named("c"), named("a.b")], ["tools[2].name"]],
    ["names that differ by a dot only", [named("orders.get_by_id"), named("orders_get.by_id")], ["tools[1].name"]],
    ["three of a kind", [named("a_b_c"), named("a.b_c"), named("a.b.c")], ["tools[1].name", "tools[2].name"]],
  ])("checks %s", (_what, tools, paths) => {
    const issues = check("scripted/keyword", tools);
    expect(issues.map((issue) => issue.path)).toEqual(paths);
    for (const issue of issues) expect(issue).toMatchObject({ severity: "error", code: "TOOL_NAME_CONFLICT" });
  });
});
