import { resolve } from "node:path";
import { SEARCH_PROVIDER_NAMES } from "@yagate/builtins/search/provider-names";
import { generateSigningSecret } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { configFromEnvironment, type Environment, type EnvironmentOptions } from "../../src/config/environment.ts";

const signingSecret = generateSigningSecret();
const masterKeys = `k1:${"A".repeat(43)}=`;

function refusal(environment: Environment, options: EnvironmentOptions = {}) {
  try {
    configFromEnvironment(environment, options);
  } catch (error) {
    expect(error).toMatchObject({ code: "INVALID_REQUEST" });
    const { message, hint } = error as { message: string; hint: string };
    const [first, ...problems] = message.split("\n  ");
    expect(first).toBe("these settings are not valid:");
    return { problems, hint };
  }
  throw new Error("expected the environment to be refused");
}

it("reads every variable", () => {
  const environment = {
    YAGATE_PORT: "0",
    YAGATE_HOST: "::1",
    YAGATE_DATA_DIR: "data",
    DATABASE_URL: "postgresql://gateway:p%40ss@db.internal:5432/yagate?sslmode=verify-full",
    YAGATE_DATABASE_CONNECTIONS: "20",
    YAGATE_MIGRATIONS: "check",
    YAGATE_API_KEY: "yk_of_the_operator",
    YAGATE_MASTER_KEYS: masterKeys,
    YAGATE_ALLOW_WEAK_KEYS: "true",
    YAGATE_ALLOW_CIDRS: "10.0.0.0/8, fd00::/8 ,",
    YAGATE_WORKSPACE_CIDRS: '{ "ws_01k9e5t8b8fxhv3c4n5p6q7r8s": ["10.1.0.0/16"], "ws_2": [] }',
    YAGATE_DEVELOPMENT_WORKSPACES: "default, sandbox",
    YAGATE_DENY_CIDRS: "2001:67c:2b0::/96",
    YAGATE_ALLOW_PORTS: "443,8443",
    YAGATE_PUBLIC_URL: "https://example.com",
    YAGATE_CORS_ORIGINS: "https://app.example, http://localhost:3000",
    YAGATE_MCP_ISSUERS:
      '[{ "issuer": "https://login.example.com", "audience": "https://example.com/mcp", "workspace": "default", "scopes": ["executions"] }]',
    YAGATE_PLANS: '{ "pro": { "callsPerMinute": 30 } }',
    YAGATE_SEARCH_PROVIDERS: "brave, searxng",
    YAGATE_SEARCH_FOLDER: "documents",
    YAGATE_SEARXNG_URL: "http://searxng.internal:8080",
    YAGATE_BRAVE_API_KEY: "b\n",
    YAGATE_TAVILY_API_KEY: "t",
    YAGATE_EXA_API_KEY: "e",
    YAGATE_SERPER_API_KEY: "s",
    YAGATE_GOOGLE_SEARCH_API_KEY: "g",
    YAGATE_GOOGLE_SEARCH_ENGINE_ID: "0123:abc",
    YAGATE_SEARCH_PRICES: "brave=0.005, exa=0",
    YAGATE_SEARCH_CACHE_SECONDS: "60",
    YAGATE_SIGNING_SECRET: signingSecret,
    YAGATE_MAX_CONCURRENT_EXECUTIONS: "7",
    YAGATE_ENDPOINT_CONCURRENCY: "8",
    YAGATE_ENDPOINT_QUEUE: "0",
    YAGATE_EXECUTION_RETENTION_DAYS: "90",
    YAGATE_AUDIT_RETENTION_DAYS: "30",
    YAGATE_TRUST_PROXY: "10.0.0.0/8, fd00::/8",
    YAGATE_EXCHANGE_RETENTION_DAYS: "0",
    YAGATE_MIN_FREE_DISK_BYTES: "0",
    YAGATE_DRAIN_NOTICE_MS: "5000",
    YAGATE_APPROVAL_EXPIRY_MS: "60000",
    YAGATE_CALLBACK_EXPIRY_MS: "70000",
    YAGATE_ALLOW_SELF_APPROVAL: "true",
    YAGATE_STRICT_SECRET_HOSTS: "true",
    YAGATE_DRAIN_MS: "1000",
    YAGATE_TRACE_CONTENT: "preview",
    YAGATE_CONSOLE: "auto",
    YAGATE_LOG_LEVEL: "debug",
    OPENAI_API_KEY: "sk-1\n",
    OPENAI_BASE_URL: "http://127.0.0.1:8080",
    ANTHROPIC_API_KEY: "sk-2",
    GOOGLE_GENERATIVE_AI_API_KEY: "sk-3",
  };
  expect(configFromEnvironment(environment)).toEqual({
    port: 0,
    host: "::1",
    dataDir: resolve("data"),
    databaseUrl: "postgresql://gateway:p%40ss@db.internal:5432/yagate?sslmode=verify-full",
    databaseConnections: 20,
    migrations: "check",
    apiKey: "yk_of_the_operator",
    masterKeys,
    allowWeakKeys: true,
    allowCidrs: ["10.0.0.0/8", "fd00::/8"],
    workspaceCidrs: { ws_01k9e5t8b8fxhv3c4n5p6q7r8s: ["10.1.0.0/16"], ws_2: [] },
    developmentWorkspaces: ["default", "sandbox"],
    denyCidrs: ["2001:67c:2b0::/96"],
    allowPorts: [443, 8443],
    publicUrl: "https://example.com",
    mcpIssuers: [
      {
        issuer: "https://login.example.com",
        audience: "https://example.com/mcp",
        workspace: "default",
        scopes: ["executions"],
      },
    ],
    corsOrigins: ["https://app.example", "http://localhost:3000"],
    plans: { pro: { callsPerMinute: 30 } },
    signingSecret,
    maxConcurrentExecutions: 7,
    endpointConcurrency: 8,
    endpointQueue: 0,
    executionRetentionDays: 90,
    auditRetentionDays: 30,
    trustProxy: ["10.0.0.0/8", "fd00::/8"],
    exchangeRetentionDays: 0,
    minFreeDiskBytes: 0,
    drainNoticeMs: 5_000,
    approvalExpiryMs: 60_000,
    callbackExpiryMs: 70_000,
    allowSelfApproval: true,
    strictSecretHosts: true,
    drainMs: 1_000,
    traceContent: "preview",
    console: "auto",
    logLevel: "debug",
    providers: {
      openai: { apiKey: "sk-1", baseUrl: "http://127.0.0.1:8080" },
      anthropic: { apiKey: "sk-2" },
      google: { apiKey: "sk-3" },
    },
    search: {
      providers: ["brave", "searxng"],
      local: { folder: resolve("documents") },
      searxng: { url: "http://searxng.internal:8080" },
      brave: { apiKey: "b" },
      tavily: { apiKey: "t" },
      exa: { apiKey: "e" },
      serper: { apiKey: "s" },
      google: { apiKey: "g", engineId: "0123:abc" },
      prices: { brave: 0.005, exa: 0 },
      cacheSeconds: 60,
    },
    ca: [],
  });
});

it.each<[string, Environment]>([
  ["nothing", {}],
  ["empty variables", { YAGATE_PORT: "", DATABASE_URL: "", YAGATE_ALLOW_CIDRS: "", OPENAI_API_KEY: " " }],
  ["a list of providers without any", { YAGATE_PROVIDERS: " , ", OLLAMA_API_KEY: "nobody's" }],
  ["variables of others", { PATH: "/bin", PORT: "80", yagate_port: "80", YAGATE_BASE_URL: "http://localhost:4820" }],
])("makes the defaults of %s", (_what, environment) => {
  expect(configFromEnvironment(environment)).toEqual(configFromEnvironment({}));
});

it("reads the providers that have no name of their own, each with the key that is named after it", () => {
  const environment = {
    YAGATE_PROVIDERS:
      "ollama=http://127.0.0.1:11434/v1, lm-studio=http://studio.internal:1234,openrouter=https://o.example/api/v1",
    OPENROUTER_API_KEY: "sk-or",
    LM_STUDIO_API_KEY: "",
    OPENAI_BASE_URL: "https://eu.api.openai.com/v1",
    GEMINI_API_KEY: "g",
    DASHSCOPE_API_KEY: "d",
  };
  expect(configFromEnvironment(environment).providers).toEqual({
    ollama: { baseUrl: "http://127.0.0.1:11434/v1" },
    "lm-studio": { baseUrl: "http://studio.internal:1234" },
    openrouter: { baseUrl: "https://o.example/api/v1", apiKey: "sk-or" },
    openai: { baseUrl: "https://eu.api.openai.com/v1" },
    google: { apiKey: "g" },
    alibaba: { apiKey: "d" },
  });
});

describe("refuses", () => {
  it.each<[Environment, readonly string[]]>([
    [{ YAGATE_PORT: "eighty" }, ["YAGATE_PORT: expected number, received string"]],
    [{ YAGATE_PORT: "70000" }, ["YAGATE_PORT: expected number to be at most 65535"]],
    [
      { YAGATE_PLANS: "pro=30" },
      ['YAGATE_PLANS: expected an object such as {"standard":{"callsPerMinute":30}}, by plan name'],
    ],
    [
      { YAGATE_PLANS: '{ "pro": { "callsPerMinute": "30" } }' },
      ["YAGATE_PLANS pro.callsPerMinute: expected number, received string"],
    ],
    [
      { YAGATE_SEARCH_PROVIDERS: "brave,bing", YAGATE_BRAVE_API_KEY: "b" },
      [`YAGATE_SEARCH_PROVIDERS: expected one of ${SEARCH_PROVIDER_NAMES.map((name) => `"${name}"`).join("|")}`],
    ],
    [
      { YAGATE_SEARCH_PROVIDERS: "brave" },
      ["YAGATE_SEARCH_PROVIDERS: the provider brave also requires YAGATE_BRAVE_API_KEY"],
    ],
    [
      { YAGATE_BRAVE_API_KEY: "two words" },
      ["YAGATE_BRAVE_API_KEY: expected printable ASCII characters without spaces"],
    ],
    [
      { YAGATE_SEARXNG_URL: "searxng.internal" },
      ["YAGATE_SEARXNG_URL: expected an http or https URL without credentials, query or fragment"],
    ],
    [{ YAGATE_GOOGLE_SEARCH_API_KEY: "g" }, ["YAGATE_GOOGLE_SEARCH_ENGINE_ID: expected string, but it is missing"]],
    [
      { YAGATE_BRAVE_API_KEY: "b", YAGATE_SEARCH_PRICES: "brave=cheap" },
      ["YAGATE_SEARCH_PRICES brave: expected number, received string"],
    ],
    [{ YAGATE_SEARCH_CACHE_SECONDS: "-1" }, ["YAGATE_SEARCH_CACHE_SECONDS: expected number, received string"]],
    [{ YAGATE_PORT: "0x50" }, ["YAGATE_PORT: expected number, received string"]],
    [{ YAGATE_PORT: "-1" }, ["YAGATE_PORT: expected number, received string"]],
    [
      { DATABASE_URL: "localhost/yagate" },
      [
        "DATABASE_URL: expected postgres://user:password@host:port/database, with special characters in the password percent-encoded (%40 for @)",
      ],
    ],
    [
      { YAGATE_ALLOW_CIDRS: "10.0.0.0/8,ten" },
      ["YAGATE_ALLOW_CIDRS: expected a network such as 10.0.0.0/8 or fd00::/8"],
    ],
    [{ YAGATE_ALLOW_PORTS: "443,https" }, ["YAGATE_ALLOW_PORTS: expected number, received string"]],
    [{ YAGATE_ALLOW_SELF_APPROVAL: "yes" }, ["YAGATE_ALLOW_SELF_APPROVAL: expected true or false"]],
    [{ YAGATE_ALLOW_WEAK_KEYS: "TRUE" }, ["YAGATE_ALLOW_WEAK_KEYS: expected true or false"]],
    [{ YAGATE_PROT: "80" }, ["YAGATE_PROT: not a variable of the gateway"]],
    [
      { OPENAI_API_KEY: "a b", ANTHROPIC_API_KEY: "sk", ANTHROPIC_BASE_URL: "localhost" },
      [
        "OPENAI_API_KEY: expected printable ASCII characters without spaces",
        "ANTHROPIC_BASE_URL: expected an http or https URL without credentials, query or fragment",
      ],
    ],
    [
      { YAGATE_PROVIDERS: "ollama,lm-studio=localhost:1234,house=https://llm.example", HOUSE_API_KEY: "a b" },
      [
        "YAGATE_PROVIDERS: ollama: expected name=URL",
        "YAGATE_PROVIDERS: lm-studio: expected name=URL, with an http or https URL without credentials, query or fragment",
        "HOUSE_API_KEY: expected printable ASCII characters without spaces",
      ],
    ],
    [
      { YAGATE_PROVIDERS: "http://127.0.0.1:5051/v1?a=b,House=https://llm.example,house=" },
      [
        "YAGATE_PROVIDERS: entry 1: expected name=URL; name: expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter",
        "YAGATE_PROVIDERS: entry 2: expected name=URL; name: expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter",
        "YAGATE_PROVIDERS: house: expected name=URL",
      ],
    ],
    [
      { YAGATE_PROVIDERS: "openai=http://127.0.0.1:5051/v1,gemini=https://llm.example", OPENAI_API_KEY: "sk" },
      [
        "YAGATE_PROVIDERS: openai: expected another name: this is a known provider with its own variables",
        "YAGATE_PROVIDERS: gemini: expected another name: this is a known provider with its own variables",
      ],
    ],
    [
      { YAGATE_PROVIDERS: "a=http://127.0.0.1:1/v1,b=http://127.0.0.1:2/v1, a=http://127.0.0.1:3/v1" },
      ["YAGATE_PROVIDERS: a: expected each name once"],
    ],
    [
      { YAGATE_PROVIDERS: "scripted=https://llm.example" },
      ["YAGATE_PROVIDERS: scripted: expected another name: scripted is reserved for models without a provider"],
    ],
    [
      { YAGATE_PROVIDERS: "yagate=https://llm.example", YAGATE_API_KEY: "yk_of_the_operator" },
      ["YAGATE_PROVIDERS: yagate: expected another name: its key would be read from YAGATE_API_KEY"],
    ],
  ])("%j", (environment, problems) => {
    expect(refusal(environment).problems).toEqual(problems);
  });

  it("everything at once: what is missing, what is wrong and what means nothing", () => {
    const environment = {
      YAGATE_PORT: "x",
      YAGATE_LOG_LEVEL: "loud",
      YAGATE_TYPO: "1",
      GOOGLE_GENERATIVE_AI_API_KEY: "ä",
    };
    const { problems, hint } = refusal(environment, { required: ["YAGATE_API_KEY", "YAGATE_PORT"] });
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([
      "YAGATE_API_KEY",
      "YAGATE_PORT",
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "YAGATE_LOG_LEVEL",
      "YAGATE_TYPO",
    ]);
    expect(hint).toContain("YAGATE_PORT, YAGATE_HOST");
  });

  it("without repeating a value", () => {
    const environment = {
      YAGATE_PORT: "planted",
      YAGATE_HOST: "planted:80",
      DATABASE_URL: "planted",
      YAGATE_API_KEY: "planted",
      YAGATE_MASTER_KEYS: "planted",
      YAGATE_ALLOW_CIDRS: "planted",
      YAGATE_ALLOW_PORTS: "planted",
      YAGATE_PUBLIC_URL: "planted",
      YAGATE_SIGNING_SECRET: "planted",
      YAGATE_MAX_CONCURRENT_EXECUTIONS: "planted",
      YAGATE_DRAIN_MS: "planted",
      YAGATE_LOG_LEVEL: "planted",
      YAGATE_TYPO: "planted",
      OPENAI_API_KEY: "planted key",
      YAGATE_PROVIDERS: "http://planted.example/v1?key=planted",
    };
    const { problems, hint } = refusal(environment);
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual(Object.keys(environment).sort());
    expect([...problems, hint].join()).not.toContain("planted");
  });

  it("what Kubernetes sets for a service of the same name, and says how to stop it", () => {
    const environment = { YAGATE_SERVICE_HOST: "10.0.0.1", YAGATE_PORT: "tcp://10.0.0.1:4820" };
    const { problems, hint } = refusal(environment);
    expect(problems).toHaveLength(2);
    expect(hint).toContain("enableServiceLinks: false");
  });
});

describe("options of the command line", () => {
  it("win over the environment, which wins over the defaults", () => {
    const environment = { YAGATE_PORT: "1000", YAGATE_HOST: "127.0.0.2" };
    const options = { port: "2000", dataDir: undefined };
    const defaults = { host: "127.0.0.3", dataDir: "/data", drainMs: 5 };
    expect(configFromEnvironment(environment, { defaults, options })).toMatchObject({
      port: 2_000,
      host: "127.0.0.2",
      dataDir: "/data",
      drainMs: 5,
    });
  });

  it("are named as they were written", () => {
    const options = { port: "x", dataDir: "" };
    expect(refusal({ YAGATE_PORT: "80" }, { options }).problems).toEqual([
      "--port: expected number, received string",
      "--data-dir: expected string to have at least 1 characters",
    ]);
  });
});

it.each<[string, string, string]>([
  [
    "no JSON",
    "ws_1=10.0.0.0/8",
    'YAGATE_WORKSPACE_CIDRS: expected an object such as {"ws_…":["10.0.0.0/8"]}, by workspace id',
  ],
  [
    "a list",
    '["10.0.0.0/8"]',
    'YAGATE_WORKSPACE_CIDRS: expected an object such as {"ws_…":["10.0.0.0/8"]}, by workspace id',
  ],
  [
    "the name of a workspace",
    '{"acme":["10.0.0.0/8"]}',
    "YAGATE_WORKSPACE_CIDRS acme: expected an id that starts with ws_",
  ],
  [
    "an id of something else",
    '{"agt_1":["10.0.0.0/8"]}',
    "YAGATE_WORKSPACE_CIDRS agt_1: expected an id that starts with ws_",
  ],
  [
    "a network that is no list",
    '{"ws_1":"10.0.0.0/8"}',
    'YAGATE_WORKSPACE_CIDRS ws_1: expected a list such as ["10.0.0.0/8"]',
  ],
  [
    "an address without a length",
    '{"ws_1":["10.0.0.0/8","10.0.0.1"]}',
    "YAGATE_WORKSPACE_CIDRS ws_1[1]: expected a network such as 10.0.0.0/8 or fd00::/8",
  ],
])("refuses networks of workspaces that are %s", (_what, value, problem) => {
  expect(refusal({ YAGATE_WORKSPACE_CIDRS: value }).problems).toEqual([problem]);
});

it("reports all problems of issuers at once", () => {
  const valid = {
    ...{ issuer: "https://login.example.com", audience: "https://example.com/mcp" },
    ...{ workspace: "default", scopes: ["executions"] },
  };
  const listed = [
    valid,
    { ...valid, issuer: "https://login.example.com:8443", audience: "https://example.com/mcp/" },
    { ...valid, issuer: "http://login.internal", workspace: "acme", scopes: ["agents"] },
    { ...valid, issuer: "https://user@other.example", secret: "s3cret" },
    { ...valid, issuer: "https://last.example?tenant=1", audience: "https://example.com" },
  ];
  const { problems } = refusal({
    YAGATE_PUBLIC_URL: "https://example.com/",
    YAGATE_MCP_ISSUERS: JSON.stringify(listed),
    YAGATE_PORT: "none",
  });
  const url = "expected the URL of an issuer, such as https://login.example.com (http: only on localhost)";
  const audience =
    "expected the value of YAGATE_PUBLIC_URL followed by /mcp, with the host in lower-case ASCII and without the default port";
  expect(problems).toEqual([
    expect.stringContaining("YAGATE_PORT: "),
    `YAGATE_MCP_ISSUERS [2].issuer: ${url}`,
    "YAGATE_MCP_ISSUERS [2].workspace: expected default or the id of a workspace, such as ws_01k9e5t8b8fxhv3c4n5p6q7r8s",
    "YAGATE_MCP_ISSUERS [2].scopes: expected a list with executions, which /mcp needs",
    `YAGATE_MCP_ISSUERS [3].issuer: ${url}`,
    "YAGATE_MCP_ISSUERS [3].secret: unknown field",
    `YAGATE_MCP_ISSUERS [4].issuer: ${url}`,
    "YAGATE_MCP_ISSUERS [1].issuer: expected each issuer once, and no issuer that starts with another one followed by a colon",
    `YAGATE_MCP_ISSUERS [1].audience: ${audience}`,
    `YAGATE_MCP_ISSUERS [4].audience: ${audience}`,
  ]);
});

it.each<[string, string, readonly string[]]>([
  ["no JSON", "https://login.example.com", ["YAGATE_MCP_ISSUERS: expected a list such as"]],
  [
    "issuers whose subjects could be confused",
    JSON.stringify(
      ["https://login.example.com", "https://login.example.com:8443", "https://login.example.com"].map((issuer) => ({
        ...{ issuer, audience: "https://example.com/mcp", workspace: "default", scopes: ["executions"] },
      })),
    ),
    [
      "YAGATE_MCP_ISSUERS [1].issuer: expected each issuer once",
      "YAGATE_MCP_ISSUERS [2].issuer: expected each issuer once",
    ],
  ],
])("refuses %s", (_what, value, expected) => {
  const { problems } = refusal({ YAGATE_PUBLIC_URL: "https://example.com", YAGATE_MCP_ISSUERS: value });
  expect(problems).toEqual(expected.map((text) => expect.stringContaining(text)));
});

it("refuses issuers without a public URL", () => {
  const issuer = { issuer: "https://login.example.com", audience: "https://example.com/mcp" };
  const value = JSON.stringify([{ ...issuer, workspace: "default", scopes: ["executions"] }]);
  expect(refusal({ YAGATE_MCP_ISSUERS: value }).problems).toEqual([
    "YAGATE_MCP_ISSUERS [0].audience: expected YAGATE_PUBLIC_URL to be set, because audiences start with it",
  ]);
});
