import { createGoogle } from "@ai-sdk/google";
import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createModels } from "../../src/create-models.ts";
import type { HostedTool, ModelIssue, ModelTool } from "../../src/port.ts";
import { takesGoogleSearch, takesMixedTools } from "../../src/preflight/gemini-versions.ts";
import type { ProvidersSettings } from "../../src/provider-settings.ts";
import { recordingFetch } from "../support/recording-fetch.ts";
import { turnRequest } from "../support/turn-request.ts";

const PROVIDERS: ProvidersSettings = {
  openai: { apiKey: "k" },
  anthropic: { apiKey: "k" },
  google: { apiKey: "k" },
  mistral: { apiKey: "k" },
  xai: { apiKey: "k" },
  deepseek: { apiKey: "k" },
  alibaba: { apiKey: "k" },
  zai: { apiKey: "k" },
  house: { baseUrl: "http://127.0.0.1:9/v1" },
};
const GPT = "openai/gpt-5";
const CLAUDE = "anthropic/claude-sonnet-4-6";
const GEMINI = "google/gemini-3.5-flash";
const EVERY_MODEL = [
  GPT,
  CLAUDE,
  GEMINI,
  "mistral/mistral-large-4",
  "xai/grok-4",
  "deepseek/deepseek-flash",
  "alibaba/qwen3-max",
  "zai/glm-5.3",
];
const FREE = { asOf: "2026-11-21", find: () => ({ input: 0, output: 0 }) };
const SEARCH: HostedTool = { hosted: "web_search", name: "web_search" };

const toolOf = (parameters: JsonObject, description = "Does it."): ModelTool => ({
  name: "do_it",
  description,
  parameters: { type: "object", ...parameters },
});
const property = (schema: JsonObject): JsonObject => ({ properties: { a: schema } });

function check(
  model: string,
  tools: readonly (ModelTool | HostedTool)[],
  providers = PROVIDERS,
): readonly ModelIssue[] {
  return createModels({ providers, fetch, prices: FREE }).check(model, tools);
}

const found = (issues: readonly ModelIssue[]) => issues.map(({ severity, path, code }) => [severity, path, code]);

/** What the AI SDK sends of a tool's schema, and whether it can send it at all. */
async function sentSchema(model: string, tool: ModelTool): Promise<JsonValue | "nothing"> {
  const { fetch: recording, requests } = recordingFetch({ from: "https://", to: "http://127.0.0.1:9/" });
  const models = createModels({ providers: PROVIDERS, fetch: recording });
  await models.runTurn(turnRequest({ model, tools: [tool] })).catch(() => {});
  const [request] = requests;
  return request === undefined ? "nothing" : (schemaIn(request.body) ?? null);
}

function schemaIn(value: JsonValue): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const { parametersJsonSchema, input_schema: inputSchema, parameters } = value;
    const schema = parametersJsonSchema ?? inputSchema ?? parameters;
    if (schema !== undefined) return schema;
  }
  for (const entry of Object.values(value)) {
    const schema = schemaIn(entry);
    if (schema !== undefined) return schema;
  }
  return undefined;
}

const PLAIN: JsonObject = {
  properties: {
    city: { type: "string", description: "Where", minLength: 1, pattern: "^[A-Z]" },
    when: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
    list: { type: "array", items: { $ref: "#/$defs/entry" }, maxItems: 3 },
    "x.y-z_1": { oneOf: [{ const: 1 }, { enum: ["a", 2] }] },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: { entry: { type: "object", properties: { n: { type: "integer", minimum: 0 } } } },
};

describe("a tool that nothing is wrong with", () => {
  it.each(EVERY_MODEL)("is no error for %s, and is sent to it as it is", async (model) => {
    const tool = toolOf(PLAIN);
    expect(check(model, [tool]).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(await sentSchema(model, tool)).toEqual(tool.parameters);
  });

  it.each(EVERY_MODEL)("has no parameters, and %s is sent none of them", async (model) => {
    const tool = toolOf({});
    expect(check(model, [tool])).toEqual([]);
    expect(await sentSchema(model, tool)).toEqual({ type: "object", properties: {} });
  });
});

describe("a tool's schema", () => {
  const ofTop = { oneOf: [{ required: ["a"] }], properties: { a: {} } };
  it.each<[string, string, JsonObject, readonly (readonly string[])[]]>([
    ["oneOf at the top", GPT, ofTop, [["error", "tools[0].parameters.oneOf", "SCHEMA_UNSUPPORTED"]]],
    ["anyOf at the top", GPT, { anyOf: [] }, [["error", "tools[0].parameters.anyOf", "SCHEMA_UNSUPPORTED"]]],
    ["allOf at the top", GPT, { allOf: [{}, {}] }, [["error", "tools[0].parameters.allOf", "SCHEMA_UNSUPPORTED"]]],
    ["not at the top", GPT, { not: {} }, [["error", "tools[0].parameters.not", "SCHEMA_UNSUPPORTED"]]],
    [
      "one reference in allOf at the top",
      GPT,
      { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { type: "object" } } },
      [],
    ],
    ["oneOf below", GPT, property({ oneOf: [{}] }), []],
    [
      "an array without items",
      GPT,
      property({ type: "array" }),
      [["error", "tools[0].parameters.properties.a", "SCHEMA_UNSUPPORTED"]],
    ],
    [
      "an array without items, deep down",
      GPT,
      property({ anyOf: [{ type: ["array", "null"], prefixItems: [{}] }] }),
      [["error", "tools[0].parameters.properties.a.anyOf[0]", "SCHEMA_UNSUPPORTED"]],
    ],
    ["an array with items of anything", GPT, property({ type: "array", items: {} }), []],
    [
      "propertyNames",
      GPT,
      property({ propertyNames: { maxLength: 3 } }),
      [["warning", "tools[0].parameters.properties.a.propertyNames", "SCHEMA_KEYWORD_IGNORED"]],
    ],
    [
      "propertyNames that are no strings",
      GPT,
      property({ propertyNames: { type: "integer" } }),
      [["error", "tools[0].parameters.properties.a.propertyNames", "SCHEMA_UNSUPPORTED"]],
    ],
    ["oneOf at the top", CLAUDE, ofTop, [["error", "tools[0].parameters.oneOf", "SCHEMA_UNSUPPORTED"]]],
    ["oneOf below", CLAUDE, property({ oneOf: [{}] }), []],
    ["an array without items", CLAUDE, property({ type: "array" }), []],
    [
      "a parameter with brackets in its name",
      CLAUDE,
      { properties: { "filter[id]": {} } },
      [["error", "tools[0].parameters.properties.filter[id]", "SCHEMA_UNSUPPORTED"]],
    ],
    [
      "a parameter with a long name",
      CLAUDE,
      { properties: { ["n".repeat(65)]: {} } },
      [["error", `tools[0].parameters.properties.${"n".repeat(65)}`, "SCHEMA_UNSUPPORTED"]],
    ],
    ["a nested parameter with brackets in its name", CLAUDE, property({ properties: { "b[]": {} } }), []],
    ["a parameter with brackets in its name", GPT, { properties: { "filter[id]": {} } }, []],
    [
      "keywords that its reference does not list",
      GEMINI,
      property({ type: "string", pattern: "^a", maxLength: 3 }),
      [["warning", "tools[0].parameters", "SCHEMA_KEYWORD_IGNORED"]],
    ],
    ["keywords that mean nothing", GEMINI, property({ default: 1, examples: [1], deprecated: true }), []],
    ["a reference", GEMINI, { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } }, []],
    ["oneOf at the top", GEMINI, ofTop, []],
    ["everything at once", "house/llama3", { ...ofTop, ...property({ type: "array", propertyNames: false }) }, []],
  ])("with %s for %s", (_what, model, parameters, issues) => {
    expect(found(check(model, [toolOf(parameters)]))).toEqual(issues);
  });

  it("is held to OpenAI's rules at OpenAI only", () => {
    const elsewhere = { openai: { apiKey: "k", baseUrl: "http://127.0.0.1:9/v1" } };
    expect(check(GPT, [toolOf({ anyOf: [] })], elsewhere)).toEqual([]);
  });

  const OPENAI = "https://api.openai.com/v1";
  const VLLM = "http://127.0.0.1:9/v1";
  it.each<[string, ProvidersSettings, ReadonlyMap<string, string | null>, boolean]>([
    ["the gateway's server", { openai: { baseUrl: VLLM } }, new Map(), false],
    [
      "the gateway's server, with the workspace's key",
      { openai: { baseUrl: VLLM } },
      new Map([["openai", null]]),
      false,
    ],
    ["OpenAI, while the gateway's is a server", { openai: { baseUrl: VLLM } }, new Map([["openai", OPENAI]]), true],
    ["OpenAI, with the workspace's key", {}, new Map([["openai", null]]), true],
    ["a server, while the gateway's is OpenAI", { openai: { apiKey: "k" } }, new Map([["openai", VLLM]]), false],
    ["a server, and the gateway has none", {}, new Map([["openai", VLLM]]), false],
    ["OpenAI, and another provider is the workspace's", { openai: { apiKey: "k" } }, new Map([["house", VLLM]]), true],
  ])("is held to the rules of who will answer the workspace: %s", (_who, providers, ofWorkspace, isOpenAi) => {
    const tools = [toolOf({ anyOf: [] }), SEARCH];
    const codes = createModels({ providers, fetch, prices: FREE })
      .check(GPT, tools, ofWorkspace)
      .filter(({ code }) => code !== "NOT_CONFIGURED")
      .map(({ code }) => code);
    expect(codes).toEqual([isOpenAi ? "SCHEMA_UNSUPPORTED" : "HOSTED_TOOL_UNSUPPORTED"]);
  });

  it("is looked at also for a provider with a name that every object has", () => {
    const providers: ProvidersSettings = { constructor: { baseUrl: VLLM } };
    expect(check("constructor/m", [toolOf({ anyOf: [] })], providers)).toEqual([]);
  });

  it("is found at its place among others, all of them at once", () => {
    const tools = [
      toolOf(PLAIN),
      { ...toolOf({ anyOf: [], not: {} }), name: "b" },
      { ...toolOf({ allOf: [] }), name: "c" },
    ];
    expect(found(check(GPT, tools)).map(([, path]) => path)).toEqual([
      "tools[1].parameters.anyOf",
      "tools[1].parameters.not",
      "tools[2].parameters.allOf",
    ]);
  });

  it("that is hostile takes no time", () => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 5_000; level += 1) deep = { anyOf: [deep] };
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: "array" }]));
    for (const model of EVERY_MODEL) {
      expect(() => check(model, [toolOf({ properties: wide }), toolOf({ properties: { deep } })])).not.toThrow();
    }
  });
});

describe("what is said of a schema and what the AI SDK does with it", () => {
  it("agree about a keyword that OpenAI is not told of", async () => {
    const tool = toolOf(property({ type: "object", propertyNames: { maxLength: 3 } }));
    expect(await sentSchema(GPT, tool)).toEqual({ type: "object", ...property({ type: "object" }) });
  });

  it("agree about a schema that cannot be sent to OpenAI at all", async () => {
    expect(await sentSchema(GPT, toolOf(property({ propertyNames: { type: "integer" } })))).toBe("nothing");
  });

  it("agree about one reference at the top, which is written out", async () => {
    const tool = toolOf({
      allOf: [{ $ref: "#/$defs/a" }],
      $defs: { a: { type: "object", properties: { b: { type: "string" } } } },
    });
    const sent = await sentSchema(GPT, tool);
    expect(sent).not.toHaveProperty("allOf");
    expect(check(GPT, [tool])).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    [CLAUDE, { properties: { "filter[id]": { type: "string" } }, anyOf: [{ required: ["filter[id]"] }] }],
    [GEMINI, property({ type: "string", pattern: "^a", not: { const: "ab" }, propertyNames: false })],
  ])("agree that %s is sent everything, whatever it does with it", async (model, parameters) => {
    const tool = toolOf({ properties: {}, ...parameters });
    expect(await sentSchema(model, tool)).toEqual(tool.parameters);
  });
});

it.each<[string, string, readonly string[]]>([
  ["OpenAI", GPT, ["DESCRIPTION_LONG"]],
  ["Anthropic", CLAUDE, []],
])("a description of more than 1024 characters for %s", (_name, model, codes) => {
  expect(check(model, [toolOf({}, "d".repeat(1_024))])).toEqual([]);
  expect(check(model, [toolOf({}, "d".repeat(1_025))]).map(({ code }) => code)).toEqual(codes);
});

it.each<[string, readonly string[]]>([
  ["openai/gpt-5-chat-latest", ["MODEL_WITHOUT_TOOLS"]],
  ["openai/gpt-5", []],
  ["openai/o1-mini", ["MODEL_WITHOUT_TOOLS"]],
  ["openai/o1", []],
  ["google/gemma-3-27b-it", ["MODEL_WITHOUT_TOOLS"]],
  ["google/gemini-2.5-flash-image", ["MODEL_WITHOUT_TOOLS"]],
  ["google/gemini-2.5-flash", []],
])("%s and tools", (model, codes) => {
  expect(check(model, [toolOf({})]).map(({ code }) => code)).toEqual(codes);
  expect(check(model, [])).toEqual([]);
});

describe("a search that the provider is to run", () => {
  it.each<[string, string | undefined]>([
    [GPT, undefined],
    ["openai/gpt-4o", undefined],
    ["openai/gpt-4.1-mini-2025-04-14", undefined],
    ["openai/o3", undefined],
    ["openai/gpt-4.1-nano", "HOSTED_TOOL_UNSUPPORTED"],
    ["openai/gpt-4", "HOSTED_TOOL_UNSUPPORTED"],
    ["openai/gpt-4-turbo-2024-04-09", "HOSTED_TOOL_UNSUPPORTED"],
    ["openai/gpt-3.5-turbo", "HOSTED_TOOL_UNSUPPORTED"],
    ["openai/o3-mini", "HOSTED_TOOL_UNSUPPORTED"],
    [CLAUDE, undefined],
    ["claude-3-5-haiku-latest", undefined],
    ["claude-3-opus-20240229", "HOSTED_TOOL_UNSUPPORTED"],
    [GEMINI, undefined],
    ["google/gemini-2.5-pro", undefined],
    ["google/gemini-1.5-pro", "HOSTED_TOOL_UNSUPPORTED"],
    ["google/gemma-3-27b-it", "HOSTED_TOOL_UNSUPPORTED"],
    ["xai/grok-4", undefined],
    ["xai/grok-4.7", undefined],
    ["xai/grok-3-mini", "HOSTED_TOOL_UNSUPPORTED"],
    ["mistral/mistral-large-4", undefined],
    ["deepseek/deepseek-flash", "HOSTED_TOOL_UNSUPPORTED"],
    ["alibaba/qwen3-max", "HOSTED_TOOL_UNSUPPORTED"],
    ["zai/glm-5.3", "HOSTED_TOOL_UNSUPPORTED"],
    ["house/llama3", "HOSTED_TOOL_UNSUPPORTED"],
    ["scripted/keyword", "HOSTED_TOOL_UNSUPPORTED"],
  ])("by %s: %s", (model, code) => {
    const path = "tools[0].config.providerHosted";
    expect(found(check(model, [SEARCH]))).toEqual(code === undefined ? [] : [["error", path, code]]);
  });

  it("by a server behind OpenAI's name is refused", () => {
    const elsewhere = { openai: { apiKey: "k", baseUrl: "https://proxy.example/v1" } };
    expect(found(check(GPT, [SEARCH], elsewhere)).map(([, , code]) => code)).toEqual(["HOSTED_TOOL_UNSUPPORTED"]);
  });

  it.each<[string, Partial<HostedTool>, readonly string[]]>([
    [GPT, { allowedDomains: ["a.example"] }, []],
    [GPT, { maxUses: 3 }, ["tools[0].config.maxUses"]],
    [CLAUDE, { maxUses: 3, blockedDomains: ["a.example"] }, []],
    ["xai/grok-4", { allowedDomains: Array(5).fill("a.example") }, []],
    ["xai/grok-4", { allowedDomains: Array(6).fill("a.example") }, ["tools[0].config.allowedDomains"]],
    [
      GEMINI,
      { blockedDomains: ["a.example"], maxUses: 1 },
      ["tools[0].config.maxUses", "tools[0].config.blockedDomains"],
    ],
    ["mistral/mistral-large-4", { allowedDomains: ["a.example"] }, ["tools[0].config.allowedDomains"]],
  ])("by %s, limited by %j", (model, limits, paths) => {
    const issues = check(model, [{ ...SEARCH, ...limits }]);
    expect(issues.map(({ path }) => path)).toEqual(paths);
    expect(issues.every(({ code, severity }) => code === "HOSTED_OPTION_UNSUPPORTED" && severity === "error")).toBe(
      true,
    );
  });

  it.each<[string, boolean]>([
    ["google/gemini-2.5-flash", true],
    ["google/gemini-2.0-flash", true],
    [GEMINI, false],
    ["google/gemini-flash-latest", false],
    [CLAUDE, false],
  ])("beside other tools, by %s: conflict %s", (model, isConflict) => {
    const codes = check(model, [toolOf({}), SEARCH]).map(({ code }) => code);
    expect(codes).toEqual(isConflict ? ["HOSTED_TOOL_CONFLICT"] : []);
  });
});

describe("what is said of Gemini's models and what the AI SDK sends them", () => {
  const ownTool: LanguageModelV4FunctionTool = {
    type: "function",
    name: "do_it",
    inputSchema: { type: "object", properties: {} },
  };
  const search: LanguageModelV4ProviderTool = {
    type: "provider",
    id: "google.google_search",
    name: "web_search",
    args: {},
  };

  it.each([
    "gemini-1.5-pro",
    "gemini-pro",
    "gemini-pro-vision",
    "gemini-2.0-flash",
    "gemini-2.5-flash",
    "gemini-2.5-pro-preview-06-05",
    "gemini-robotics-er-1.5-preview",
    "gemini-3-pro-preview",
    "gemini-3.5-flash",
    "gemini-4-argon",
    "gemini-flash-latest",
    "gemini-pro-latest",
    "nano-banana-pro-preview",
    "gemma-3-27b-it",
    "learnlm-2.0",
  ])("agree about %s", async (model) => {
    const bodies: string[] = [];
    const google = createGoogle({
      apiKey: "k",
      fetch: async (_url, init) => {
        bodies.push(String(init?.body));
        return Response.json({ candidates: [{ content: { parts: [{ text: "a" }] }, finishReason: "STOP" }] });
      },
    });
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "a" }] }];
    await google(model).doGenerate({ prompt, tools: [search] });
    await google(model).doGenerate({ prompt, tools: [search, ownTool] });
    expect(bodies[0]?.includes("googleSearch")).toBe(takesGoogleSearch(model));
    expect(bodies[1]?.includes("do_it")).toBe(takesMixedTools(model));
  });
});

describe("the price of a model that is saved", () => {
  it.each<[string, readonly string[]]>([
    [GPT, []],
    ["openai/gpt-9", ["PRICE_UNKNOWN"]],
    ["house/llama3", ["PRICE_UNKNOWN"]],
    ["scripted/keyword", []],
  ])("of %s: %j", (model, codes) => {
    const issues = createModels({ providers: PROVIDERS, fetch }).check(model, []);
    expect(issues.map(({ code }) => code)).toEqual(codes);
  });

  it("is not asked after where there is no such provider", () => {
    const issues = createModels({ providers: {}, fetch }).check("house/llama3", []);
    expect(issues.map(({ code }) => code)).toEqual(["UNKNOWN_MODEL"]);
  });
});
