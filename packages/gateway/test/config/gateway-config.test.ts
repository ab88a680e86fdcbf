import { isAbsolute, resolve } from "node:path";
import { generateSigningSecret } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { TEST_CA } from "../../../egress/test/support/servers.ts";
import { completeConfig, type GatewayConfig } from "../../src/config/gateway-config.ts";
import { createGateway } from "../../src/gateway.ts";

/** As somebody without types writes it. */
function complete(config: Record<string, unknown>) {
  return completeConfig(config as GatewayConfig);
}

function problemsOf(config: Record<string, unknown>): readonly string[] {
  try {
    complete(config);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: "INVALID_REQUEST" });
    return (error as Error).message.replace("the configuration is not valid: ", "").split(/; (?=[\w.[\]]+: )/);
  }
}

it("has a default for everything", () => {
  expect(complete({})).toEqual({
    port: 4_820,
    host: "127.0.0.1",
    dataDir: resolve("./.yagate"),
    databaseConnections: 12,
    migrations: "apply",
    allowWeakKeys: false,
    allowCidrs: [],
    developmentWorkspaces: [],
    denyCidrs: [],
    allowPorts: [443],
    mcpIssuers: [],
    corsOrigins: [],
    providers: {},
    strictSecretHosts: false,
    plans: {},
    ca: [],
    maxConcurrentExecutions: 500,
    endpointConcurrency: 64,
    endpointQueue: 1_000,
    auditRetentionDays: 90,
    trustProxy: 0,
    exchangeRetentionDays: 7,
    minFreeDiskBytes: 67_108_864,
    drainNoticeMs: 0,
    approvalExpiryMs: 604_800_000,
    callbackExpiryMs: 86_400_000,
    allowSelfApproval: false,
    drainMs: 10_000,
    traceContent: "none",
    console: "off",
    logLevel: "warn",
  });
});

it("stays as it is when it is completed again", () => {
  const config = complete({ dataDir: "data", providers: { openai: { apiKey: "sk-1" } } });
  expect(isAbsolute(config.dataDir)).toBe(true);
  expect(completeConfig(config)).toEqual(config);
});

it("takes the networks of up to 1000 workspaces", () => {
  const networks = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`ws_${String(index).padStart(26, "0")}`, ["10.0.0.0/8"]]),
    );
  expect(problemsOf({ workspaceCidrs: networks(1_000) })).toEqual([]);
  expect(problemsOf({ workspaceCidrs: networks(1_001) })).toEqual(["workspaceCidrs: expected at most 1000 workspaces"]);
});

it.each<[string, Record<string, unknown>]>([
  ["port 0", { port: 0 }],
  ["the largest port", { port: 65_535 }],
  ["IPv6", { host: "::1" }],
  ["every address", { host: "0.0.0.0" }],
  ["a name", { host: "gateway-1.internal" }],
  ["networks of both kinds", { allowCidrs: ["10.0.0.0/8", "fd00::/8", "0.0.0.0/0", "::1/128"] }],
  ["a public URL with a path", { publicUrl: "https://example.com/yagate" }],
  [
    "origins of pages",
    { corsOrigins: ["https://app.example", "https://app.example:8443", "https://xn--bcher-kva.example"] },
  ],
  [
    "origins on this machine",
    { corsOrigins: ["http://localhost:3000", "http://127.0.0.1:5173", "http://[::1]:8000", "http://shop.localhost"] },
  ],
  ["a signing secret", { signingSecret: generateSigningSecret() }],
  ["two master keys", { masterKeys: `a:${"A".repeat(43)}=,b:${"B".repeat(42)}A=` }],
  ["a private authority", { ca: [TEST_CA] }],
  ["a database", { databaseUrl: "postgres://gateway@db:5432/yagate", databaseConnections: 8, migrations: "check" }],
  ["a database behind a socket", { databaseUrl: "postgres:///yagate?host=/var/run/postgresql" }],
  ["plans", { plans: { standard: { callsPerMinute: 1_000 }, "of-ours": { creditsPerCall: 0 }, empty: {} } }],
  ["a function that looks names up", { lookup: () => {} }],
])("takes %s", (_what, config) => {
  expect(complete(config)).toMatchObject(config);
});

describe("refuses", () => {
  const database =
    "expected postgres://user:password@host:port/database, with special characters in the password percent-encoded (%40 for @)";
  const url = "expected an http or https URL";
  const baseUrl = "expected an http or https URL without credentials, query or fragment";
  const host = "expected an address or a host name, without a port or brackets";
  const network = "expected a network such as 10.0.0.0/8 or fd00::/8";
  const secret = "expected whsec_ and the base64 of 24 to 64 bytes";
  const origin = "expected an origin as browsers write it, such as https://app.example (http: only on localhost)";
  const ascii = "expected printable ASCII characters without spaces";

  it.each<[Record<string, unknown>, readonly string[]]>([
    [{ prot: 4820 }, ["prot: unknown field"]],
    [{ port: "4820" }, ["port: expected number, received string"]],
    [{ port: 65_536 }, ["port: expected number to be at most 65535"]],
    [{ port: -1 }, ["port: expected number to be at least 0"]],
    [{ port: 80.5 }, ["port: expected whole number, received number"]],
    [{ host: "" }, [`host: ${host}`]],
    [{ host: "[::1]" }, [`host: ${host}`]],
    [{ host: "127.0.0.1:4820" }, [`host: ${host}`]],
    [{ host: "http://127.0.0.1" }, [`host: ${host}`]],
    [{ dataDir: "" }, ["dataDir: expected string to have at least 1 characters"]],
    ...[
      "localhost:5432/yagate",
      "mysql://db/yagate",
      "https://db/yagate",
      "postgres:///yagate",
      "postgres://db:x/y",
    ].map((databaseUrl): [Record<string, unknown>, readonly string[]] => [
      { databaseUrl },
      [`databaseUrl: ${database}`],
    ]),
    [{ databaseConnections: 7 }, ["databaseConnections: expected number to be at least 8"]],
    [{ migrations: "off" }, ['migrations: expected one of "apply"|"check"']],
    [
      { plans: { Pro: {} } },
      ["plans.Pro: expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter"],
    ],
    [
      { plans: { pro: { callsPerMinute: 1_001, callsPerDay: 1 } } },
      ["plans.pro.callsPerMinute: expected number to be at most 1000", "plans.pro.callsPerDay: unknown field"],
    ],
    [{ apiKey: "k".repeat(15) }, ["apiKey: expected at least 16 characters"]],
    [{ apiKey: `${"k".repeat(16)} k` }, [`apiKey: ${ascii}`]],
    [{ apiKey: `${"k".repeat(16)}\n` }, [`apiKey: ${ascii}`]],
    [{ apiKey: "schl\u00fcssel-mit-umlaut" }, [`apiKey: ${ascii}`]],
    [{ masterKeys: "" }, ["masterKeys: expected at least one master key"]],
    [{ masterKeys: "a:short" }, ["masterKeys: master key 1: expected <key id>:<base64 of 32 random bytes>"]],
    [{ allowCidrs: "10.0.0.0/8" }, ["allowCidrs: expected array, received string"]],
    [{ denyCidrs: ["10.0.0.0/8", "ten"] }, [`denyCidrs[1]: ${network}`]],
    [
      { allowCidrs: ["10.0.0.0/8", "10.0.0.0", "10.0.0.0/33", "fd00::/129", "10.0/8", "fe80::1%eth0/64", "*"] },
      [1, 2, 3, 4, 5, 6].map((index) => `allowCidrs[${index}]: ${network}`),
    ],
    [{ allowPorts: [] }, ["allowPorts: expected array to have at least 1 items"]],
    [
      { allowPorts: [443, 0, "80"] },
      ["allowPorts[1]: expected number to be at least 1", "allowPorts[2]: expected number, received string"],
    ],
    [{ publicUrl: "example.com" }, [`publicUrl: ${url}`]],
    [{ publicUrl: "ftp://example.com" }, [`publicUrl: ${url}`]],
    [
      { publicUrl: "https://user:pass@example.com" },
      ["publicUrl: expected a URL without credentials, query or fragment"],
    ],
    [{ publicUrl: "https://example.com?a=b" }, ["publicUrl: expected a URL without credentials, query or fragment"]],
    ...[
      "*",
      "null",
      "app.example",
      "https://app.example/",
      "https://app.example/path",
      "https://*.example",
      "https://App.example",
      "https://app.example:443",
      "https://b\u00fccher.example",
      "https://user@app.example",
      "http://app.example",
      "http://10.0.0.1:3000",
      "http://localhost.example",
      "http://127.0.0.1.example",
      "file:///index.html",
      "chrome-extension://abcdef",
    ].map((text): [Record<string, unknown>, readonly string[]] => [
      { corsOrigins: ["https://app.example", text] },
      [`corsOrigins[1]: ${origin}`],
    ]),
    [
      { apiKey: `yt_${"k".repeat(16)}` },
      ["apiKey: expected a key that does not start with yt_, which is the prefix of execution tokens"],
    ],
    [{ signingSecret: "whsec_c2hvcnQ=" }, [`signingSecret: ${secret}`]],
    [{ signingSecret: ` ${generateSigningSecret()}` }, [`signingSecret: ${secret}`]],
    [{ providers: { openai: { apiKey: "k", key: "k" } } }, ["providers.openai.key: unknown field"]],
    [{ providers: { opnai: { apiKey: "k" } } }, [`providers.opnai.baseUrl: ${baseUrl}`]],
    [{ providers: { house: { baseUrl: "https://llm.example/v1?key=1" } } }, [`providers.house.baseUrl: ${baseUrl}`]],
    [
      { providers: { "My LLM": { baseUrl: "https://llm.example" } } },
      ["providers.My LLM: expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter"],
    ],
    [
      { providers: { scripted: { baseUrl: "https://llm.example" } } },
      ["providers.scripted: expected another name: scripted is reserved for models without a provider"],
    ],
    [{ providers: { qwen: { apiKey: "k" } } }, ["providers.qwen: expected alibaba; qwen is an alias of it"]],
    [
      { providers: { openai: { apiKey: "a b", baseUrl: "localhost" } } },
      [`providers.openai.apiKey: ${ascii}`, `providers.openai.baseUrl: ${baseUrl}`],
    ],
    [
      { providers: { google: {} } },
      ["providers.google.apiKey: expected a key, or a base URL for workspaces that bring their own key"],
    ],
    [{ lookup: "8.8.8.8" }, ["lookup: expected a function like dns.lookup"]],
    [{ ca: ["certificate"] }, ["ca[0]: expected a PEM certificate"]],
    [{ maxConcurrentExecutions: 0 }, ["maxConcurrentExecutions: expected number to be at least 1"]],
    [{ executionRetentionDays: 0 }, ["executionRetentionDays: expected number to be at least 1"]],
    [{ auditRetentionDays: 0 }, ["auditRetentionDays: expected number to be at least 1"]],
    [{ trustProxy: "all" }, ["trustProxy: expected number or array, received string"]],
    [{ exchangeRetentionDays: 0.5 }, [expect.stringMatching(/^exchangeRetentionDays: /)]],
    [{ drainNoticeMs: 600_001 }, ["drainNoticeMs: expected number to be at most 600000"]],
    [{ approvalExpiryMs: 0 }, ["approvalExpiryMs: expected number to be at least 1"]],
    [{ callbackExpiryMs: 2_592_000_001 }, ["callbackExpiryMs: expected number to be at most 2592000000"]],
    [{ drainMs: 600_001 }, ["drainMs: expected number to be at most 600000"]],
    [{ logLevel: "verbose" }, ['logLevel: expected one of "debug"|"info"|"warn"|"error"|"silent"']],
  ])("%j", (config, problems) => {
    expect(problemsOf(config)).toEqual(problems);
  });

  it("everything that is wrong at once", () => {
    const config = { port: -1, host: "", apiKey: "short", allowCidrs: ["x"], logLevel: 5, typo: true };
    const paths = problemsOf(config).map((problem) => problem.split(":")[0]);
    expect(paths).toEqual(["port", "host", "apiKey", "allowCidrs[0]", "logLevel", "typo"]);
  });

  it("without repeating a value", () => {
    const planted = "planted-value";
    const wrong = {
      port: planted,
      host: `${planted}:80`,
      databaseUrl: planted,
      apiKey: `${planted} k`,
      masterKeys: planted,
      allowCidrs: [planted],
      allowPorts: [planted],
      publicUrl: `https://${planted}@example.com`,
      signingSecret: planted,
      providers: { openai: { apiKey: `${planted} k`, baseUrl: planted } },
      lookup: planted,
      ca: [planted],
      maxConcurrentExecutions: planted,
      drainMs: planted,
      logLevel: planted,
    };
    const problems = problemsOf(wrong);
    const settings = new Set(problems.map((problem) => problem.split(/[:.[]/)[0]));
    expect([...settings].sort()).toEqual(Object.keys(wrong).sort());
    expect(problems.join()).not.toContain(planted);
  });
});

it("a gateway refuses its configuration when it is made, before it touches anything", () => {
  expect(() => createGateway({ port: 70_000, dataDir: "/nowhere/at/all" })).toThrow(
    "the configuration is not valid: port: expected number to be at most 65535",
  );
});
