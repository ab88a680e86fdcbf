import { builtinTools } from "@yagate/builtins/builtin-tools";
import { createModels } from "@yagate/models/create-models";
import type { Agent, JsonObject, ToolDefinition } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { createHandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import { describe, expect, it } from "vitest";
import { checkAgentTools } from "../../src/tools/checks/check-agent-tools.ts";
import { agentWith, createToolsetWorld, lookupOrder } from "./toolset-world.ts";

const CLAUDE = "claude-sonnet-4-20250514";
const declared = { ...lookupOrder, sideEffect: "read_only" } as const;
const search = (config: JsonObject = {}): ToolDefinition => ({
  builtin: "web_search",
  config: { providerHosted: true, ...config },
});

async function check(tools: readonly ToolDefinition[], rest: Partial<Agent> = {}) {
  const { errors, warnings } = await checkAgentTools(agentWith(tools, { model: CLAUDE, ...rest }), {
    argumentValidator: createArgumentValidator(),
    describeSecrets: async () => new Map(),
    models: createModels({ providers: { anthropic: { apiKey: "k" }, openai: { apiKey: "k" } }, fetch }),
    builtins: builtinTools(),
    canBeCalledBack: true,
    handlerUrlProblem: createHandlerUrlCheck({ allowCidrs: [] }),
    hasSigningSecret: async () => true,
    hasIntegration: async () => true,
    findSecret: async () => undefined,
  });
  const places = (found: typeof errors) => found.map(({ path, code }) => [path, code]);
  return { errors: places(errors), warnings: places(warnings) };
}

describe("a web_search at the model's provider", () => {
  it("is saved without a warning: it needs no configuration of the gateway", async () => {
    expect(await check([search({ maxUses: 3, allowedDomains: ["example.com"] }), declared])).toEqual({
      errors: [],
      warnings: [],
    });
  });

  it.each<[string, ToolDefinition, string, string]>([
    ["a field that is none", search({ maxUse: 3 }), "tools[0].config.maxUse", "UNRECOGNIZED_KEYS"],
    ["no number", search({ maxUses: "3" }), "tools[0].config.maxUses", "INVALID_TYPE"],
    [
      "a URL for a domain",
      search({ allowedDomains: ["https://a.example"] }),
      "tools[0].config.allowedDomains[0]",
      "INVALID_FORMAT",
    ],
    ["no domain at all", search({ blockedDomains: [] }), "tools[0].config.blockedDomains", "TOO_SMALL"],
    [
      "both lists",
      search({ allowedDomains: ["a.example"], blockedDomains: ["b.example"] }),
      "tools[0].config",
      "CUSTOM",
    ],
    ["no boolean", search({ providerHosted: "yes" }), "tools[0].config.providerHosted", "INVALID_VALUE"],
    [
      "another built-in",
      { builtin: "calculator", config: { providerHosted: true } },
      "tools[0].config.providerHosted",
      "HOSTED_TOOL_UNSUPPORTED",
    ],
  ])("is refused with %s", async (_what, tool, path, code) => {
    expect((await check([tool])).errors).toEqual([[path, code]]);
  });

  it("is refused, at its field, for a model whose provider has none", async () => {
    const { errors } = await check([declared, search()], { model: "scripted/keyword" });
    expect(errors).toEqual([["tools[1].config.providerHosted", "HOSTED_TOOL_UNSUPPORTED"]]);
  });

  it("is refused beside another web_search", async () => {
    const { errors } = await check([search(), { builtin: "web_search" }]);
    expect(errors).toEqual([["tools[1].builtin", "TOOL_NAME_CONFLICT"]]);
  });

  it("is the gateway's own by default", async () => {
    const { warnings } = await check([{ builtin: "web_search", config: { providerHosted: false } }]);
    expect(warnings.map(([, code]) => code)).toEqual(["NOT_CONFIGURED"]);
  });

  it.each<[string, Agent["policy"]]>([
    ["network is no kind that may run", { network: false, toolKinds: ["handler"], approval: "never" }],
    ["every call asks a person", { network: false, approval: "always" }],
  ])("is said to be denied where %s, and is then not offered", async (_why, policy) => {
    expect(await check([search()], { policy })).toEqual({ errors: [], warnings: [["tools[0]", "ALWAYS_DENIED"]] });
    const { toolsetOf } = await createToolsetWorld();
    expect((await toolsetOf([search()], { policy })).hostedTools).toEqual([]);
  });
});

describe("a toolset", () => {
  it("keeps the provider's tools apart from the gateway's", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([declared, search({ maxUses: 3 }), { builtin: "calculator" }]);
    expect([...toolset.tools.keys()]).toEqual(["lookup_order", "calculator"]);
    expect(toolset.hostedTools).toEqual([{ hosted: "web_search", name: "web_search", maxUses: 3 }]);
    // A model that calls it like a tool of the agent's is told that there is none.
    expect(toolset.refusalOf({ name: "web_search", parameters: { query: "a" } })?.code).toBe("UNKNOWN_TOOL");
  });
});

describe("what a model would refuse of a tool", () => {
  it("is named at the tool's place, with what is wrong with the tool itself", async () => {
    const { errors } = await check([
      { ...declared, parameters: { type: "object", anyOf: [{ required: ["a"] }], properties: { "a b": {} } } },
      { ...declared, name: "other", handler: "http://127.0.0.1/" },
    ]);
    expect(errors).toEqual([
      ["tools[0].parameters.anyOf", "SCHEMA_UNSUPPORTED"],
      ["tools[0].parameters.properties.a b", "SCHEMA_UNSUPPORTED"],
      ["tools[1].handler", "URL_NOT_ALLOWED"],
    ]);
  });

  it("counts usage notes to the description, since the model reads both", async () => {
    const tool = { ...declared, description: "d".repeat(600), usageNotes: "n".repeat(600) };
    const { warnings } = await check([tool], { model: "gpt-5" });
    expect(warnings).toEqual([["tools[0].description", "DESCRIPTION_LONG"]]);
  });

  it.each(["gpt-5", CLAUDE, "scripted/keyword"])("is nothing of the built-in tools: %s", async (model) => {
    const tools: ToolDefinition[] = [{ builtin: "calculator" }, { builtin: "datetime" }, { builtin: "json_validator" }];
    const { errors, warnings } = await check(tools, { model });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
