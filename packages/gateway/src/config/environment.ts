import { readSearchVariables, SEARCH_VARIABLES, searchVariableOf } from "@yagate/builtins/search/search-variables";
import {
  apiKeyVariableOf,
  baseUrlVariableOf,
  compatibleProvidersProblems,
  PROVIDER_VARIABLES,
  readProviderVariables,
} from "@yagate/models/provider-settings";
import { type FieldError, YagateError } from "@yagate/protocol";
import { type CompleteConfig, type GatewayConfig, parseConfig } from "./gateway-config.ts";
import { readSecretFiles } from "./secret-files.ts";
import { findWeakKeys, type WeakKey } from "./weak-keys.ts";

type Read = (text: string) => unknown;

const list: Read = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
const text: Read = (value) => value;
// Other text stays text, so that the schema can report what was expected.
const number: Read = (value) => (/^\d+$/.test(value) ? Number(value) : value);
// Other text stays text here too.
const boolean: Read = (value) => (value === "true" ? true : value === "false" ? false : value);
const numberOrList: Read = (value) => (/^\d+$/.test(value) ? Number(value) : list(value));
const numbers: Read = (value) => (list(value) as string[]).map(number);
const json: Read = (value) => {
  try {
    return JSON.parse(value);
  } catch {
    // Other text stays text here too.
    return value;
  }
};
// This variable is read elsewhere, together with others.
const elsewhere: Read = () => undefined;

const SEARCH_ROWS = Object.fromEntries(
  Object.keys(SEARCH_VARIABLES).map((name) => [name, { setting: "search", read: elsewhere } as const]),
);

/** Every variable that the gateway reads, with its setting. */
export const ENVIRONMENT = {
  YAGATE_PORT: { setting: "port", read: number },
  YAGATE_HOST: { setting: "host", read: text },
  YAGATE_DATA_DIR: { setting: "dataDir", read: text },
  DATABASE_URL: { setting: "databaseUrl", read: text },
  YAGATE_DATABASE_CONNECTIONS: { setting: "databaseConnections", read: number },
  YAGATE_MIGRATIONS: { setting: "migrations", read: text },
  YAGATE_API_KEY: { setting: "apiKey", read: text },
  YAGATE_MASTER_KEYS: { setting: "masterKeys", read: text },
  YAGATE_ALLOW_WEAK_KEYS: { setting: "allowWeakKeys", read: boolean },
  YAGATE_ALLOW_CIDRS: { setting: "allowCidrs", read: list },
  YAGATE_WORKSPACE_CIDRS: { setting: "workspaceCidrs", read: json },
  YAGATE_DEVELOPMENT_WORKSPACES: { setting: "developmentWorkspaces", read: list },
  YAGATE_DENY_CIDRS: { setting: "denyCidrs", read: list },
  YAGATE_ALLOW_PORTS: { setting: "allowPorts", read: numbers },
  YAGATE_PUBLIC_URL: { setting: "publicUrl", read: text },
  YAGATE_MCP_ISSUERS: { setting: "mcpIssuers", read: json },
  YAGATE_CORS_ORIGINS: { setting: "corsOrigins", read: list },
  YAGATE_DOCS_URL: { setting: "docsUrl", read: text },
  YAGATE_PROVIDERS: { setting: "providers", read: elsewhere },
  YAGATE_STRICT_SECRET_HOSTS: { setting: "strictSecretHosts", read: boolean },
  YAGATE_PRICES_FILE: { setting: "pricesFile", read: text },
  YAGATE_PLANS: { setting: "plans", read: json },
  ...SEARCH_ROWS,
  YAGATE_SIGNING_SECRET: { setting: "signingSecret", read: text },
  YAGATE_MAX_CONCURRENT_EXECUTIONS: { setting: "maxConcurrentExecutions", read: number },
  YAGATE_ENDPOINT_CONCURRENCY: { setting: "endpointConcurrency", read: number },
  YAGATE_ENDPOINT_QUEUE: { setting: "endpointQueue", read: number },
  YAGATE_EXECUTION_RETENTION_DAYS: { setting: "executionRetentionDays", read: number },
  YAGATE_AUDIT_RETENTION_DAYS: { setting: "auditRetentionDays", read: number },
  YAGATE_TRUST_PROXY: { setting: "trustProxy", read: numberOrList },
  YAGATE_EXCHANGE_RETENTION_DAYS: { setting: "exchangeRetentionDays", read: number },
  YAGATE_MIN_FREE_DISK_BYTES: { setting: "minFreeDiskBytes", read: number },
  YAGATE_DRAIN_NOTICE_MS: { setting: "drainNoticeMs", read: number },
  YAGATE_APPROVAL_EXPIRY_MS: { setting: "approvalExpiryMs", read: number },
  YAGATE_CALLBACK_EXPIRY_MS: { setting: "callbackExpiryMs", read: number },
  YAGATE_ALLOW_SELF_APPROVAL: { setting: "allowSelfApproval", read: boolean },
  YAGATE_DRAIN_MS: { setting: "drainMs", read: number },
  YAGATE_TRACE_CONTENT: { setting: "traceContent", read: text },
  YAGATE_CONSOLE: { setting: "console", read: text },
  YAGATE_LOG_LEVEL: { setting: "logLevel", read: text },
} as const satisfies Record<string, { setting: keyof GatewayConfig; read: Read }>;

/**
 * The names of the variables that the gateway reads: those of its settings, and those of the keys of model providers.
 */
export const VARIABLE_NAMES: { readonly settings: readonly string[]; readonly providerKeys: readonly string[] } = {
  settings: Object.keys(ENVIRONMENT),
  providerKeys: Object.values(PROVIDER_VARIABLES).map(({ apiKey }) => apiKey),
};

// The client and the command line read these variables, so they are not typing errors.
const FOREIGN: ReadonlySet<string> = new Set(["YAGATE_BASE_URL", "YAGATE_PROFILE"]);

/** Variables by name, as in `process.env`. An empty variable counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options for {@link configFromEnvironment}. */
export interface EnvironmentOptions {
  /** Settings for variables that are not set. Default: the defaults of the configuration. */
  readonly defaults?: GatewayConfig;
  /**
   * Values of command-line options, by setting. They override the environment, and messages refer to them as
   * `--like-this`.
   */
  readonly options?: Readonly<Record<string, string | undefined>>;
  /** Names of the variables that must be set. Default: none. */
  readonly required?: readonly (keyof typeof ENVIRONMENT)[];
  /** Whether to reject keys that could be guessed, unless `YAGATE_ALLOW_WEAK_KEYS` is true. Default: false. */
  readonly requiresStrongKeys?: boolean;
  /** The hint in the error for invalid settings. Default: a general hint. */
  readonly hint?: string;
}

/**
 * Reads a configuration from the environment, and secrets from the files that variables such as `YAGATE_API_KEY_FILE`
 * name.
 *
 * @throws YagateError `INVALID_REQUEST` with a message that lists all problems, one per line: missing and malformed
 *   settings, and unknown variables whose names start with `YAGATE_`. The message never contains a value, because many
 *   values are secret.
 */
export function configFromEnvironment(
  variables: Environment,
  {
    defaults = {},
    options = {},
    required = [],
    requiresStrongKeys = false,
    hint = "correct these settings and start again",
  }: EnvironmentOptions = {},
): CompleteConfig {
  const { environment, problems: fileProblems } = readSecretFiles(variables);
  const unknown = unknownVariables(environment);
  const given = givenOptions(options);
  const settings = { ...defaults, ...settingsOf(environment), ...given };
  const parsed = parseConfig(settings);
  const weak = requiresStrongKeys ? weakKeys(settings, parsed.problems) : [];
  const problems = [
    ...fileProblems,
    ...required
      .filter((name) => (environment[name] ?? "") === "" && (variables[`${name}_FILE`] ?? "") === "")
      .map((name) => `${name}: it is missing`),
    ...compatibleProvidersProblems(environment).map((problem) => `YAGATE_PROVIDERS: ${problem}`),
    // A weak key is reported once, with all requirements.
    ...parsed.problems
      .filter(({ path }) => !weak.some(({ setting }) => setting === path))
      .map(({ path, message }) => `${nameOf(path, given)}: ${isSwitch(path) ? SWITCH : message}`),
    ...unknown.map((name) => `${name}: not a variable of the gateway`),
    ...weak.map(({ setting, message }) => `${nameOf(setting, {})}: ${message}`),
  ];
  if (parsed.config !== undefined && problems.length === 0) return parsed.config;
  throw new YagateError("INVALID_REQUEST", ["these settings are not valid:", ...problems].join("\n  "), {
    hint: hintOn(unknown) ?? hint,
  });
}

/** Replaces the schema's message, which asks for a boolean. An environment variable is always text. */
const SWITCH = "expected true or false";

function isSwitch(setting: string): boolean {
  return Object.values(ENVIRONMENT).some((entry) => entry.setting === setting && entry.read === boolean);
}

/** Checks the keys even if other settings are invalid. Malformed master keys are not checked. */
function weakKeys(settings: Readonly<Record<string, unknown>>, problems: readonly FieldError[]): readonly WeakKey[] {
  const { apiKey, masterKeys, allowWeakKeys } = settings;
  if (allowWeakKeys === true) return [];
  const areReadable = !problems.some(({ path }) => path === "masterKeys");
  const weak = findWeakKeys({
    apiKey: typeof apiKey === "string" ? apiKey : undefined,
    masterKeys: typeof masterKeys === "string" && areReadable ? masterKeys : undefined,
  });
  return weak.filter(({ isOlder }) => !isOlder);
}

function settingsOf(environment: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [name, { setting, read }] of Object.entries(ENVIRONMENT)) {
    const value = environment[name];
    if (value !== undefined && value !== "") settings[setting] = read(value);
  }
  const search = readSearchVariables(environment);
  if (Object.keys(search).length > 0) settings["search"] = search;
  const providers = readProviderVariables(environment);
  return Object.keys(providers).length === 0 ? settings : { ...settings, providers };
}

function givenOptions(options: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const variables = Object.values(ENVIRONMENT);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([setting, value = ""]) => [setting, variables.find((entry) => entry.setting === setting)?.read(value)]),
  );
}

function unknownVariables(environment: Environment): readonly string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith("YAGATE_") && !Object.hasOwn(ENVIRONMENT, name) && !FOREIGN.has(name),
  );
}

function hintOn(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined;
  if (unknown.some((name) => name.endsWith("_SERVICE_HOST"))) {
    return "Kubernetes sets these variables for a service named yagate: set enableServiceLinks: false in the pod";
  }
  return `the variables are ${Object.keys(ENVIRONMENT).join(", ")}`;
}

/** Returns the name by which the operator set the value: an option, a variable, or the setting itself. */
function nameOf(path: string, options: Readonly<Record<string, unknown>>): string {
  const [setting = "", provider = "", field = ""] = path.split(/[.[]/);
  if (Object.hasOwn(options, setting)) return `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (setting === "providers" && provider !== "") {
    return field === "apiKey" ? apiKeyVariableOf(provider) : baseUrlVariableOf(provider);
  }
  if (setting === "search" && provider !== "") return searchVariableOf(path.slice("search.".length));
  const [name, entry] = Object.entries(ENVIRONMENT).find(([, { setting: known }]) => known === setting) ?? [path];
  // A part of a JSON value.
  const part = entry?.read === json ? path.slice(setting.length).replace(/^\./, "") : "";
  return part === "" ? name : `${name} ${part}`;
}
