import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import { readCompatibleProviders } from "./compatible-providers.ts";
import { isPlainHttpUrl } from "./plain-http-url.ts";
import { isKnownProvider, PROVIDER_NAMES, type ProviderName, providerNameProblem } from "./provider-names.ts";

/** Access to one model provider. */
export interface ProviderSettings {
  /**
   * The API key: printable ASCII characters without spaces. A known provider without a key serves only workspaces that
   * set their own key. Any other server is called without a key.
   */
  readonly apiKey?: string | undefined;
  /**
   * The base URL: an http or https URL without credentials, query or fragment. If it has no path, the provider's
   * version path, such as `/v1`, is appended. Required if the provider is not a known one; the server must then support
   * OpenAI's chat completions.
   */
  readonly baseUrl?: string | undefined;
}

/** The operator's model providers, by name. */
export type ProvidersSettings = { readonly [name in ProviderName]?: ProviderSettings | undefined } & {
  readonly [name: string]: ProviderSettings | undefined;
};

/** The variables that the providers' own SDKs use. */
export const PROVIDER_VARIABLES = {
  openai: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  anthropic: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  google: { apiKey: "GOOGLE_GENERATIVE_AI_API_KEY", baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL" },
  mistral: { apiKey: "MISTRAL_API_KEY", baseUrl: "MISTRAL_BASE_URL" },
  xai: { apiKey: "XAI_API_KEY", baseUrl: "XAI_BASE_URL" },
  deepseek: { apiKey: "DEEPSEEK_API_KEY", baseUrl: "DEEPSEEK_BASE_URL" },
  alibaba: { apiKey: "ALIBABA_API_KEY", baseUrl: "ALIBABA_BASE_URL" },
  zai: { apiKey: "ZAI_API_KEY", baseUrl: "ZAI_BASE_URL" },
} as const satisfies Record<ProviderName, Record<keyof ProviderSettings, string>>;

// Alternative variables for the key, from the providers' documentation.
const OTHER_KEY_VARIABLES: { readonly [name in ProviderName]?: string } = {
  google: "GEMINI_API_KEY",
  alibaba: "DASHSCOPE_API_KEY",
};

/** The variable that lists OpenAI-compatible servers by name: `ollama=http://127.0.0.1:11434/v1,house=https://…`. */
export const COMPATIBLE_PROVIDERS_VARIABLE = "YAGATE_PROVIDERS";

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the name of the variable for a provider's key. */
export function apiKeyVariableOf(name: string): string {
  return isKnownProvider(name) ? PROVIDER_VARIABLES[name].apiKey : `${name.toUpperCase().replaceAll("-", "_")}_API_KEY`;
}

/** Returns the name of the variable for a provider's base URL. */
export function baseUrlVariableOf(name: string): string {
  return isKnownProvider(name) ? PROVIDER_VARIABLES[name].baseUrl : COMPATIBLE_PROVIDERS_VARIABLE;
}

/**
 * Reads the settings of model providers from the environment without validating them. Invalid entries in the list of
 * OpenAI-compatible servers are skipped: see {@link compatibleProvidersProblems}. White space around a value, such as
 * the newline at the end of a secret file, is removed. An empty value counts as unset.
 */
export function readProviderVariables(environment: Variables): Record<string, ProviderSettings> {
  const read = (variable: string | undefined) => {
    const value = variable === undefined ? undefined : environment[variable]?.trim();
    return value === "" ? undefined : value;
  };
  const { servers } = readCompatibleProviders(environment[COMPATIBLE_PROVIDERS_VARIABLE]);
  const named = servers.map(({ name, baseUrl }): [string, ProviderSettings] => [
    name,
    toSettings(read(apiKeyVariableOf(name)), baseUrl),
  ]);
  const known = PROVIDER_NAMES.flatMap((name): [string, ProviderSettings][] => {
    const { apiKey, baseUrl } = PROVIDER_VARIABLES[name];
    const settings = toSettings(read(apiKey) ?? read(OTHER_KEY_VARIABLES[name]), read(baseUrl));
    return Object.keys(settings).length === 0 ? [] : [[name, settings]];
  });
  return Object.fromEntries([...named, ...known]);
}

/** Returns the names of the variables for the keys of all providers that an environment can set. */
export function keyVariablesOf(environment: Variables): readonly string[] {
  const { servers } = readCompatibleProviders(environment[COMPATIBLE_PROVIDERS_VARIABLE]);
  const known = Object.values(PROVIDER_VARIABLES).map(({ apiKey }) => apiKey);
  return [...known, ...Object.values(OTHER_KEY_VARIABLES), ...servers.map(({ name }) => apiKeyVariableOf(name))];
}

/**
 * Returns the problems in the list of OpenAI-compatible servers. Each message contains the name or position of its
 * entry, and no message contains a URL.
 */
export function compatibleProvidersProblems(environment: Variables): readonly string[] {
  return readCompatibleProviders(environment[COMPATIBLE_PROVIDERS_VARIABLE]).problems;
}

function toSettings(apiKey: string | undefined, baseUrl: string | undefined): ProviderSettings {
  return { ...defined({ apiKey, baseUrl }) };
}

/**
 * Reads the settings of model providers from environment variables, such as `OPENAI_API_KEY` and `YAGATE_PROVIDERS`.
 *
 * @throws YagateError `INVALID_REQUEST` with the name of each invalid variable, never its value.
 */
export function providersFromEnvironment(environment: Variables): ProvidersSettings {
  const [listProblem] = compatibleProvidersProblems(environment);
  if (listProblem !== undefined) {
    throw new YagateError("INVALID_REQUEST", `${COMPATIBLE_PROVIDERS_VARIABLE}: ${listProblem}`);
  }
  const providers = readProviderVariables(environment);
  for (const [name, settings] of Object.entries(providers)) {
    const [problem] = providerProblems(name, settings);
    if (problem === undefined) continue;
    const variable = problem.field === "apiKey" ? apiKeyVariableOf(name) : baseUrlVariableOf(name);
    throw new YagateError("INVALID_REQUEST", `${variable}: ${problem.message}`);
  }
  return providers;
}

/** A problem with one setting. It never contains the setting's value. */
export interface ProviderProblem {
  readonly field: "name" | keyof ProviderSettings;
  readonly message: string;
}

/** Returns all problems with a provider's settings. */
export function providerProblems(name: string, { apiKey, baseUrl }: ProviderSettings): readonly ProviderProblem[] {
  const nameProblem = providerNameProblem(name);
  if (nameProblem !== undefined) return [{ field: "name", message: nameProblem }];
  const problems: ProviderProblem[] = [];
  // A control character would make fetch reject the header with an error that quotes the key.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    problems.push({ field: "apiKey", message: "expected printable ASCII characters without spaces" });
  }
  if (baseUrl === undefined ? !isKnownProvider(name) : !isPlainHttpUrl(baseUrl)) {
    problems.push({
      field: "baseUrl",
      message: "expected an http or https URL without credentials, query or fragment",
    });
  }
  if (apiKey === undefined && baseUrl === undefined && isKnownProvider(name)) {
    problems.push({
      field: "apiKey",
      message: "expected a key, or a base URL for workspaces that bring their own key",
    });
  }
  return problems;
}
