import { describe, expect, it } from "vitest";
import { configFromEnvironment, ENVIRONMENT } from "../../packages/gateway/src/config/environment.ts";
import { type CompleteConfig, completeConfig } from "../../packages/gateway/src/config/gateway-config.ts";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/configuration.md";

interface Row {
  readonly variable: string;
  readonly setting: string;
  readonly stated: string;
  readonly meaning: string;
}

const rows: readonly Row[] = tableRows(PAGE, ["variable", "setting", "default", "meaning"]).map((row) => ({
  variable: row["variable"] ?? "",
  setting: row["setting"] ?? "",
  stated: row["default"] ?? "",
  meaning: row["meaning"] ?? "",
}));

const settingNames: ReadonlySet<string> = new Set(Object.values(ENVIRONMENT).map(({ setting }) => setting));
const isSetting = (name: string): name is keyof CompleteConfig => settingNames.has(name);

/** The value of a row's setting; `search` has one of its fields behind each of its variables. */
function settingOf(config: CompleteConfig, { variable, setting }: Row): unknown {
  if (variable === "YAGATE_SEARCH_CACHE_SECONDS") return config.search?.cacheSeconds;
  return isSetting(setting) ? config[setting] : expect.fail(`no setting ${setting}`);
}

const read = (row: Row, text: string) => settingOf(configFromEnvironment({ [row.variable]: text }), row);

/** How a wrong value is reported: the name, then what was expected. */
const refusedAs = (name: string) => expect.objectContaining({ message: expect.stringContaining(` ${name}: `) });

/** "1 to 100000", the first range that a row states. */
const ranges = rows.flatMap((row) => {
  const [, low, high] = /(?<![\d.])(\d+) to (\d+)(?!\d)/.exec(row.meaning) ?? [];
  return low === undefined ? [] : [{ ...row, row, low: Number(low), high: Number(high) }];
});

it("states the range of every limit, period and count", () => {
  expect(ranges.map(({ setting }) => setting)).toEqual([
    "port",
    "databaseConnections",
    "search",
    "maxConcurrentExecutions",
    "endpointConcurrency",
    "endpointQueue",
    "executionRetentionDays",
    "auditRetentionDays",
    "trustProxy",
    "exchangeRetentionDays",
    "drainNoticeMs",
    "approvalExpiryMs",
    "callbackExpiryMs",
    "drainMs",
  ]);
});

describe.each(ranges)("$variable, $low to $high", ({ row, variable, setting, low, high }) => {
  it.each([low, high])("is %i", (value) => {
    expect(read(row, String(value))).toBe(value);
  });

  it.each([low - 1, high + 1])("is not %i", (value) => {
    expect(() => read(row, String(value))).toThrow(refusedAs(variable));
  });

  it("is the setting of an embedded gateway, with the same range", () => {
    const complete = (value: number) =>
      completeConfig({ [setting]: setting === "search" ? { cacheSeconds: value } : value });
    for (const value of [low, high]) expect(settingOf(complete(value), row)).toBe(value);
    const path = setting === "search" ? "search.cacheSeconds" : setting;
    for (const value of [low - 1, high + 1]) expect(() => complete(value)).toThrow(refusedAs(path));
  });
});

const switches = rows.filter(({ meaning }) => meaning.startsWith("`true` or `false`"));

it("has every switch", () => {
  expect(switches.map(({ setting }) => setting)).toEqual(["allowWeakKeys", "strictSecretHosts", "allowSelfApproval"]);
});

describe.each(switches.map((row) => ({ ...row, row })))("$variable", ({ row, variable, setting }) => {
  it("is true or false, and nothing else", () => {
    expect([read(row, "true"), read(row, "false")]).toEqual([true, false]);
    for (const text of ["1", "0", "yes", "True"]) expect(() => read(row, text)).toThrow(refusedAs(variable));
    expect(settingOf(completeConfig({ [setting]: true }), row)).toBe(true);
  });
});

describe.each([
  ["YAGATE_MIGRATIONS", ["apply", "check"]],
  ["YAGATE_TRACE_CONTENT", ["none", "preview"]],
  ["YAGATE_LOG_LEVEL", ["debug", "info", "warn", "error", "silent"]],
])("%s", (variable, values) => {
  const row = rows.find((other) => other.variable === variable) ?? expect.fail(variable);

  it("is each of its values, and nothing else", () => {
    const named = [...row.meaning.matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(values));
    expect(values.map((value) => read(row, value))).toEqual(values);
    for (const text of ["other", values[0]?.toUpperCase() ?? ""]) {
      expect(() => read(row, text)).toThrow(refusedAs(variable));
    }
  });
});

it.each(rows.map(({ variable }) => [variable]))("an empty %s counts as not set", (variable) => {
  expect(configFromEnvironment({ [variable]: "" })).toEqual(configFromEnvironment({}));
});

const providers = tableRows(PAGE, ["provider", "key", "base URL"]).map((row) => ({
  provider: row["provider"] ?? "",
  key: row["key"] ?? "",
  address: row["base URL"] ?? "",
}));

it.each(providers)("$key and $address are those of $provider", ({ provider, key, address }) => {
  const baseUrl = "https://models.example/v1";
  expect(configFromEnvironment({ [key]: "k-1" }).providers).toEqual({ [provider]: { apiKey: "k-1" } });
  expect(configFromEnvironment({ [address]: baseUrl }).providers).toEqual({ [provider]: { baseUrl } });
  expect(completeConfig({ providers: { [provider]: { apiKey: "k-1", baseUrl } } }).providers).toEqual({
    [provider]: { apiKey: "k-1", baseUrl },
  });
});

it.each([
  ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "google"],
  ["ALIBABA_API_KEY", "DASHSCOPE_API_KEY", "alibaba"],
])("%s goes before %s", (first, second, provider) => {
  const keyOf = (environment: Record<string, string>) => configFromEnvironment(environment).providers[provider]?.apiKey;
  expect(keyOf({ [second]: "k-2" })).toBe("k-2");
  expect(keyOf({ [first]: "", [second]: "k-2" })).toBe("k-2");
  expect(keyOf({ [first]: "k-1", [second]: "k-2" })).toBe("k-1");
});
