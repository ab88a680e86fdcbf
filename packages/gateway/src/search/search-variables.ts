/** The variables of the environment, and where in the settings each belongs. */
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
} as const;

/** Reads them unchecked. White space around a value is dropped, and an empty one counts as none. */
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
      settings[path] = value.split(",").map((part) => part.trim());
      continue;
    }
    providers.set(provider, { ...providers.get(provider), [field]: value });
  }
  return { ...settings, ...Object.fromEntries(providers) };
}

/** The variable that sets a field; the setting's own name where there is none. */
export function searchVariableOf(path: string): string {
  const field = path.replace(/\[.*$/, "");
  return Object.entries(SEARCH_VARIABLES).find(([, at]) => at === field)?.[0] ?? `search.${path}`;
}
