/** The environment variables of the search, and the setting for each. */
export const SEARCH_VARIABLES = {
  YAGATE_SEARCH_PROVIDERS: "providers",
  YAGATE_SEARCH_FOLDER: "local.folder",
  YAGATE_SEARXNG_URL: "searxng.url",
  YAGATE_BRAVE_API_KEY: "brave.apiKey",
  YAGATE_TAVILY_API_KEY: "tavily.apiKey",
  YAGATE_EXA_API_KEY: "exa.apiKey",
  YAGATE_SERPER_API_KEY: "serper.apiKey",
  YAGATE_GOOGLE_SEARCH_API_KEY: "google.apiKey",
  YAGATE_GOOGLE_SEARCH_ENGINE_ID: "google.engineId",
  YAGATE_SEARCH_PRICES: "prices",
  YAGATE_SEARCH_CACHE_SECONDS: "cacheSeconds",
} as const;

const listed = (value: string) => value.split(",").map((part) => part.trim());
// Invalid numbers stay strings, so that the schema reports what was expected.
const numeric = (value: string) => (/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value);

const READERS: Readonly<Record<string, (value: string) => unknown>> = {
  providers: listed,
  cacheSeconds: numeric,
  prices: (value) =>
    Object.fromEntries(
      listed(value).map((part) => {
        const [name = "", price = ""] = part.split("=");
        return [name.trim(), numeric(price.trim())];
      }),
    ),
};

/** Reads the variables without validation. Surrounding white space is removed, and an empty value counts as unset. */
export function readSearchVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  const providers = new Map<string, Record<string, string>>();
  for (const [name, path] of Object.entries(SEARCH_VARIABLES)) {
    const value = environment[name]?.trim() ?? "";
    const [provider = "", field] = path.split(".");
    if (value === "") continue;
    if (field === undefined) {
      settings[path] = READERS[path]?.(value) ?? value;
      continue;
    }
    providers.set(provider, { ...providers.get(provider), [field]: value });
  }
  return { ...settings, ...Object.fromEntries(providers) };
}

/** Returns the variable that sets a field, or the name of the setting if it has no variable. */
export function searchVariableOf(path: string): string {
  const field = path.replace(/\[.*$/, "");
  if (field.startsWith("prices.")) return `YAGATE_SEARCH_PRICES ${field.slice("prices.".length)}`;
  return Object.entries(SEARCH_VARIABLES).find(([, at]) => at === field)?.[0] ?? `search.${path}`;
}

/** Returns the variables that a provider requires. */
export function searchVariablesOf(provider: string): readonly string[] {
  return Object.entries(SEARCH_VARIABLES).flatMap(([name, at]) => (at.startsWith(`${provider}.`) ? [name] : []));
}
