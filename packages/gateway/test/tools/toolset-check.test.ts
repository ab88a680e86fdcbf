import { builtinTools } from "@yagate/builtins/builtin-tools";
import { createModels } from "@yagate/models/create-models";
import { type Agent, type JsonObject, type ToolDefinition, WARNING_TABLE, type WarningCode } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { createHandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import { describe, expect, it } from "vitest";
import { checkAgentTools } from "../../src/tools/checks/check-agent-tools.ts";
import { agentWith, lookupOrder } from "./toolset-world.ts";

const declared = { ...lookupOrder, sideEffect: "read_only" } as const;

function check(
  tools: readonly ToolDefinition[],
  rest: Partial<Agent> = {},
  allowCidrs: readonly string[] = [],
  canBeCalledBack = true,
) {
  return checkAgentTools(agentWith(tools, rest), {
    argumentValidator: createArgumentValidator(),
    describeSecrets: async () => new Map(),
    models: createModels({ providers: {}, fetch }),
    builtins: builtinTools(),
    canBeCalledBack,
    handlerUrlProblem: createHandlerUrlCheck({ allowCidrs }),
    hasSigningSecret: async (name) => name === "billing",
    hasIntegration: async (name) => name === "shop",
    findSecret: async () => undefined,
  });
}

const composed = (url: string): ToolDefinition => ({
  name: "composed",
  description: "Gets it.",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
  implementation: { primitive: "http_request", args: { method: "GET", url } },
});
const rest = (url: string): ToolDefinition => ({
  rest: { name: "rest_tool", description: "Gets it.", method: "GET", url, parameters: [] },
});

describe("http in the definition of an agent", () => {
  const ONLINE = { policy: { network: true, approval: "never" as const } };

  it.each<[string, (url: string) => [readonly ToolDefinition[], Partial<Agent>], string]>([
    ["a handler", (url) => [[{ ...declared, handler: url }], {}], "tools[0].handler"],
    ["a REST tool", (url) => [[rest(url)], ONLINE], "tools[0].rest.url"],
    ["a composed tool", (url) => [[composed(`${url}/${"${id}"}`)], ONLINE], "tools[0].implementation.args.url"],
    ["a webhook", (url) => [[], { integrations: ["webhook"], webhookUrls: [url] }], "webhookUrls[0]"],
  ])("of %s is warned of where it is to a name", async (_what, make, path) => {
    const found = async (url: string, allowCidrs: readonly string[]) => {
      const { errors, warnings } = await check(...make(url), allowCidrs);
      return { errors: errors.map(({ code }) => code), warnings: warnings.map(({ path: at, code }) => [at, code]) };
    };
    const warned = { errors: [], warnings: [[path, "HTTP_ONLY_IN_ALLOWLISTED_NETWORKS"]] };
    expect(await found("http://api.shop.example", ["127.0.0.0/8"])).toEqual(warned);
    for (const url of ["https://api.shop.example", "http://127.0.0.1:8080", "http://localhost:8080"]) {
      expect(await found(url, ["127.0.0.0/8"])).toEqual({ errors: [], warnings: [] });
    }
    expect(await found("http://api.shop.example", [])).toEqual({ errors: ["URL_NOT_ALLOWED"], warnings: [] });
  });
});

describe("an agent that is saved", () => {
  it("has no findings when everything is declared", async () => {
    const { errors, warnings } = await check([declared, { builtin: "calculator" }]);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("gets all errors at once, each with its path", async () => {
    const { errors } = await check(
      [
        { ...declared, parameters: { type: "object", properties: { a: { type: "sting" }, b: { pattern: "(?=x)" } } } },
        { ...declared, name: "lookup_order", handler: "https://user:pw@orders.example/" },
        { ...declared, name: "other", signingSecret: "none" },
        { ...declared, name: "text_summarizer" },
        { builtin: "summarizer" },
      ],
      { model: "no-such-model" },
    );
    expect(errors.map(({ path }) => path)).toEqual([
      "model",
      "tools[1].name",
      "tools[4].builtin",
      "tools[0].parameters.properties.b.pattern",
      "tools[0].parameters.properties.a.type",
      "tools[1].handler",
      "tools[2].signingSecret",
    ]);
  });

  it("may use callbacks only where the gateway has a public URL", async () => {
    const later = { ...declared, async: true };
    expect((await check([later])).errors).toEqual([]);
    const { errors } = await check([later, { ...declared, name: "now" }], {}, [], false);
    expect(errors).toMatchObject([
      {
        path: "tools[0].async",
        code: "PUBLIC_URL_MISSING",
        message: expect.stringMatching(/set YAGATE_PUBLIC_URL, or remove async from the tool "lookup_order"$/),
      },
    ]);
  });

  it("names places inside lists of a schema with brackets", async () => {
    const parameters = { type: "object", allOf: [{ type: "object" }, { properties: { "0": { type: "nothing" } } }] };
    const { errors } = await check([{ ...declared, parameters }]);
    expect(errors.map(({ path }) => path)).toEqual(["tools[0].parameters.allOf[1].properties.0.type"]);
  });
});

describe("the names of tools", () => {
  it.each<[string, readonly ToolDefinition[], string]>([
    ["the same twice", [declared, declared], "tools[1].name"],
    [
      "the same but for dots",
      [
        { ...declared, name: "orders.get" },
        { ...declared, name: "orders_get" },
      ],
      "tools[1].name",
    ],
    [
      "the same but for case",
      [
        { ...declared, name: "getOrder" },
        { ...declared, name: "getorder" },
      ],
      "tools[1].name",
    ],
    ["a built-in's but for case", [{ builtin: "calculator" }, { ...declared, name: "Calculator" }], "tools[1].name"],
    ["that of a built-in", [{ builtin: "calculator" }, { ...declared, name: "calculator" }], "tools[1].name"],
    [
      "a built-in twice, once by its alias",
      [{ builtin: "text_summarizer" }, { builtin: "summarizer" }],
      "tools[1].builtin",
    ],
  ])("are refused: %s", async (_name, tools, path) => {
    const { errors } = await check(tools);
    expect(errors).toEqual([{ path, code: "TOOL_NAME_CONFLICT", message: expect.any(String) }]);
  });
});

describe("the order that a tool declares", () => {
  const named = (name: string, rest: object = {}): ToolDefinition => ({ ...declared, name, ...rest });
  const order = "order:$" + "{orderId}";

  it.each<[string, readonly ToolDefinition[]]>([
    ["a resource of a parameter that every call has", [named("a", { resourceKey: order })]],
    ["one resource for all calls", [named("a", { resourceKey: "ledger" })]],
    [
      "tools before it, built-ins too",
      [named("a", { dependsOn: ["b", "calculator"] }), named("b"), { builtin: "calculator" }],
    ],
    [
      "two ways to the same tool",
      [named("a", { dependsOn: ["b", "c"] }), named("b", { dependsOn: ["c"] }), named("c")],
    ],
    ["a group", [named("a", { parallelGroup: "billing", idempotencyKeyRequired: true })]],
  ])("is accepted: %s", async (_name, tools) => {
    expect(await check(tools)).toEqual({ errors: [], warnings: [] });
  });

  it.each<[string, readonly ToolDefinition[], readonly (readonly [path: string, code: string])[]]>([
    ["no template", [named("a", { resourceKey: "order:$" + "{}" })], [["tools[0].resourceKey", "INVALID_TEMPLATE"]]],
    ["no parameter", [named("a", { resourceKey: "$" + "{id}" })], [["tools[0].resourceKey", "UNKNOWN_PARAMETER"]]],
    ["no tool", [named("a", { dependsOn: ["b"] })], [["tools[0].dependsOn[0]", "UNKNOWN_TOOL"]]],
    [
      "a search that the provider runs",
      [named("a", { dependsOn: ["web_search"] }), { builtin: "web_search", config: { providerHosted: true } }],
      [["tools[0].dependsOn[0]", "UNKNOWN_TOOL"]],
    ],
    ["itself", [named("a", { dependsOn: ["a"] })], [["tools[0].dependsOn[0]", "DEPENDENCY_CYCLE"]]],
    [
      "a circle",
      [
        named("a", { dependsOn: ["d", "b"] }),
        named("b", { dependsOn: ["c"] }),
        named("c", { dependsOn: ["a"] }),
        named("d"),
      ],
      [
        ["tools[0].dependsOn[1]", "DEPENDENCY_CYCLE"],
        ["tools[1].dependsOn[0]", "DEPENDENCY_CYCLE"],
        ["tools[2].dependsOn[0]", "DEPENDENCY_CYCLE"],
      ],
    ],
  ])("is refused: %s", async (_name, tools, found) => {
    const { errors } = await check(tools);
    expect(
      errors.filter(({ path }) => !path.startsWith("tools[1].config")).map(({ path, code }) => [path, code]),
    ).toEqual(found);
  });

  it("names the tools of a cycle", async () => {
    const tools = [named("a", { dependsOn: ["b"] }), named("b", { dependsOn: ["a"] })];
    const [error] = (await check(tools)).errors;
    expect(error?.message).toContain("a → b → a");
  });

  it.each<[string, string, readonly string[]]>([
    ["braces alone", "order:{orderId}", ["orderId"]],
    ["a dollar alone", "order:$orderId", ["orderId"]],
    ["a dollar before other text", "$orderId/item", ["orderId"]],
    ["both, once", "$orderId:{orderId}", ["orderId"]],
    ["beside one that is read", `${order}:{orderId}`, ["orderId"]],
    ["names of nothing", "order:{id}:$id", []],
    ["a name that only begins like one", "order:$orderIds", []],
    ["a placeholder that is meant as text", order.replace("$", "$$$$"), []],
  ])("is warned of a parameter that a resource does not read: %s", async (_name, resourceKey, names) => {
    const { errors, warnings } = await check([named("a", { resourceKey })]);
    expect(errors).toEqual([]);
    const message = (name: string) => expect.stringContaining(`write \${${name}}`);
    expect(warnings).toEqual(
      names.map((name) => ({
        ...{ code: "LITERAL_BRACES", severity: "warning" },
        ...{ path: "tools[0].resourceKey", message: message(name) },
      })),
    );
  });

  it("gets a warning where it may have no effect", async () => {
    const parameters = { type: "object", properties: { orderId: { type: "string" } } };
    const { sideEffect, ...undeclared } = declared;
    const { warnings } = await check([{ ...undeclared, parameters, resourceKey: order }]);
    expect(sideEffect).toBe("read_only");
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["tools[0].sideEffect", "SIDE_EFFECT_UNDECLARED"],
      ["tools[0].resourceKey", "OPTIONAL_PARAMETER"],
      ["tools[0].resourceKey", "SIDE_EFFECT_UNDECLARED"],
    ]);
  });
});

describe("the URL of a handler", () => {
  it.each<[string, string, readonly string[]]>([
    ["a public host", "https://orders.example/tools", []],
    ["a query", "https://orders.example/tools?version=2", []],
    ["a public address", "https://93.184.215.14/", []],
    ["localhost where it is opened", "http://localhost:3000/tools", ["127.0.0.0/8"]],
    ["an opened address over http", "http://127.0.0.1:3000/", ["127.0.0.0/8"]],
    ["an opened IPv6 address", "http://[::1]:3000/", ["::1/128"]],
    ["http to a name that may be private", "http://orders.internal/", ["10.0.0.0/8"]],
  ])("is accepted: %s", async (_name, handler, allowCidrs) => {
    expect((await check([{ ...declared, handler }], {}, allowCidrs)).errors).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ["http to the outside", "http://orders.example/", []],
    ["http to a public address where others are opened", "http://93.184.215.14/", ["10.0.0.0/8"]],
    ["another port", "https://orders.example:8443/", []],
    ["localhost", "https://localhost/", []],
    ["a name below localhost", "https://api.localhost/", []],
    ["a private address", "https://10.0.0.1/", []],
    ["a private address that is not opened", "https://10.0.0.1/", ["192.168.0.0/16"]],
    ["an address as one number", "https://2130706433/", []],
    ["the metadata address", "https://169.254.169.254/", []],
    ["a mapped address", "https://[::ffff:127.0.0.1]/", []],
    ["a user name", "https://user@orders.example/", []],
    ["a password", "https://user:password@orders.example/", []],
    ["a fragment", "https://orders.example/#tools", []],
    ["a host that no name server knows", "https://*.orders.example/", []],
    ["an empty label", "https://orders..example/", []],
  ])("is refused: %s", async (_name, handler, allowCidrs) => {
    const { errors } = await check([{ ...declared, handler }], {}, allowCidrs);
    expect(errors).toEqual([{ path: "tools[0].handler", code: "URL_NOT_ALLOWED", message: expect.any(String) }]);
  });

  it("is checked without a DNS lookup", async () => {
    const names: string[] = [];
    const problemOf = createHandlerUrlCheck({
      lookup: (name, _options, callback) => {
        names.push(name);
        callback(null, [{ address: "10.0.0.1", family: 4 }]);
      },
    });
    expect(await problemOf("https://orders.example/")).toBeUndefined();
    expect(names).toEqual([]);
  });
});

describe("a signing secret that a tool names", () => {
  it("must exist", async () => {
    expect((await check([{ ...declared, signingSecret: "billing" }])).errors).toEqual([]);
    expect((await check([{ ...declared, signingSecret: "billings" }])).errors).toEqual([
      {
        path: "tools[0].signingSecret",
        code: "UNKNOWN_SIGNING_SECRET",
        message: "expected a signing secret of the workspace; billings does not exist",
      },
    ]);
  });
});

it("the warning of an undeclared side effect names the consequences", async () => {
  const [warning] = (await check([lookupOrder])).warnings;
  expect(warning?.message).toContain(
    "it runs without approval, unless approval is always or policy.untrusted is approve_undeclared",
  );
  expect(warning?.message).toContain(
    "after an unknown outcome (a timeout, a crash) it is retried only if retries is at least 1",
  );
});

describe("a warning, and no error, is", () => {
  const policy = { network: false, approval: "destructive" } as const;

  it.each<[string, ToolDefinition, Partial<Agent>, { path: string; code: WarningCode }]>([
    ["a tool without a side effect", lookupOrder, {}, { path: "tools[0].sideEffect", code: "SIDE_EFFECT_UNDECLARED" }],
    [
      "a tool of a kind that is not allowed",
      declared,
      { policy: { ...policy, toolKinds: ["compute"] } },
      { path: "tools[0]", code: "ALWAYS_DENIED" },
    ],
    [
      "a built-in of a kind that is not allowed",
      { builtin: "calculator" },
      { policy: { ...policy, toolKinds: ["handler"] } },
      { path: "tools[0]", code: "ALWAYS_DENIED" },
    ],
    [
      "a built-in without a provider",
      { builtin: "web_search" },
      {},
      { path: "tools[0].builtin", code: "NOT_CONFIGURED" },
    ],
    [
      "a configuration that has no effect",
      { builtin: "calculator", config: { precision: 3 } },
      {},
      { path: "tools[0].config", code: "CONFIG_UNUSED" },
    ],
    ["a model without a key", declared, { model: "openai/gpt-5" }, { path: "model", code: "NOT_CONFIGURED" }],
  ])("%s", async (_name, tool, rest, expected) => {
    const { errors, warnings } = await check([tool], rest);
    expect(errors).toEqual([]);
    const { severity } = WARNING_TABLE[expected.code];
    expect(warnings).toEqual([{ ...expected, severity, message: expect.any(String) }]);
  });

  it("names the operator's setting for a built-in without a provider", async () => {
    const { warnings } = await check([{ builtin: "web_search" }], {});
    expect(warnings[0]?.message).toBe(
      "web_search is not configured on this gateway: calls will fail until an operator configures it: set " +
        "YAGATE_SEARCH_FOLDER, YAGATE_SEARXNG_URL, or a key such as YAGATE_BRAVE_API_KEY (docs/web-search.md)",
    );
  });

  it("names its tool", async () => {
    const { warnings } = await check([lookupOrder], { policy: { ...policy, toolKinds: ["compute"] } });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^lookup_order declares no side effect/),
      expect.stringMatching(/^every call to lookup_order will be denied: the agent's policy does not allow/),
    ]);
  });

  it("not a tool that a person must approve", async () => {
    const { warnings } = await check([{ ...declared, sideEffect: "destructive" }]);
    expect(warnings).toEqual([]);
  });
});

describe("a policy that denies the network", () => {
  const rest = {
    rest: { name: "orders", description: "Lists them.", method: "GET", url: "https://a.example/", parameters: [] },
  } satisfies ToolDefinition;
  const composed = (name: string, primitive: string, args: JsonObject): ToolDefinition => ({
    name,
    description: "Does it.",
    parameters: { type: "object", properties: {} },
    implementation: { primitive, args },
  });
  const ask = composed("ask", "http_request", { method: "GET", url: "https://a.example/" });

  it.each<[string, ToolDefinition, boolean]>([
    ["a REST tool", rest, true],
    ["a primitive", { builtin: "http_get" }, true],
    ["a template of a request", ask, true],
    ["a template that another stands behind", composed("other", "ask", {}), true],
    ["a template that computes", composed("sum", "calculator", { expression: "1 + 1" }), false],
    ["a handler", declared, false],
    ["a search", { builtin: "web_search" }, false],
  ])("is told of, once: %s", async (_name, tool, isDenied) => {
    const tools = tool === ask ? [tool] : [tool, ask];
    const denied = async (network: boolean) => {
      const { warnings } = await check(tools, { policy: { network, approval: "destructive" } });
      return warnings.filter(({ path, code }) => path === "tools[0]" && code === "ALWAYS_DENIED").length;
    };
    expect([await denied(false), await denied(true)]).toEqual([isDenied ? 1 : 0, 0]);
  });
});
