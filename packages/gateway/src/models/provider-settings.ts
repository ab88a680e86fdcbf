import { YagateError } from "@yagate/protocol";

/** The model providers that the gateway can call. */
export const PROVIDER_NAMES = ["openai", "anthropic", "google"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** How one provider is reached. */
export interface ProviderSettings {
  /** Printable ASCII without spaces. */
  readonly apiKey: string;
  /** http or https; a URL without a path gets the provider's own version path, such as `/v1`. */
  readonly baseUrl?: string | undefined;
}

/** The providers that have a key. */
export type ProvidersSettings = { readonly [name in ProviderName]?: ProviderSettings | undefined };

/** The variables that the providers' own SDKs read. */
export const PROVIDER_VARIABLES = {
  openai: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  anthropic: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  google: { apiKey: "GOOGLE_GENERATIVE_AI_API_KEY", baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL" },
} as const satisfies Record<ProviderName, Record<keyof ProviderSettings, string>>;

/**
 * Reads the model providers from their own environment variables. One without a key is left out; white space around a
 * value, such as the newline of a secret file, is dropped.
 *
 * @throws YagateError `INVALID_REQUEST` naming the variable, never its value.
 */
export function providersFromEnvironment(environment: Readonly<Record<string, string | undefined>>): ProvidersSettings {
  const entries = PROVIDER_NAMES.flatMap((name) => {
    const variables = PROVIDER_VARIABLES[name];
    const apiKey = environment[variables.apiKey]?.trim();
    if (apiKey === undefined || apiKey === "") return [];
    const baseUrl = environment[variables.baseUrl]?.trim();
    const settings: ProviderSettings = { apiKey, ...(baseUrl === undefined || baseUrl === "" ? {} : { baseUrl }) };
    assertProviderSettings(settings, variables);
    return [[name, settings] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * @param labels - what to call the two settings in a message.
 * @throws YagateError `INVALID_REQUEST`.
 */
export function assertProviderSettings(
  settings: ProviderSettings,
  labels: Readonly<Record<keyof ProviderSettings, string>>,
): void {
  // A control character would make fetch refuse the header with an error that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(settings.apiKey)) {
    throw new YagateError("INVALID_REQUEST", `${labels.apiKey}: expected printable ASCII characters without spaces`);
  }
  if (settings.baseUrl !== undefined && !isHttpUrl(settings.baseUrl)) {
    throw new YagateError("INVALID_REQUEST", `${labels.baseUrl}: expected an http or https URL`);
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
