/** The model providers that the gateway knows by name. Any other name stands for an OpenAI-compatible server. */
export const PROVIDER_NAMES = [
  "openai",
  "anthropic",
  "google",
  "mistral",
  "xai",
  "deepseek",
  "alibaba",
  "zai",
] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Aliases of providers. */
const PROVIDER_ALIASES: ReadonlyMap<string, ProviderName> = new Map([
  ["gemini", "google"],
  ["mistralai", "mistral"],
  ["x-ai", "xai"],
  ["grok", "xai"],
  ["qwen", "alibaba"],
  ["dashscope", "alibaba"],
  ["z-ai", "zai"],
  ["zhipu", "zai"],
  ["glm", "zai"],
]);

const PROVIDER_NAME = /^[a-z][a-z0-9_-]{0,63}$/;

export function isKnownProvider(name: string): name is ProviderName {
  return PROVIDER_NAMES.some((known) => known === name);
}

/** Resolves a provider's name or alias. */
export function resolveProviderName(name: string): string {
  return PROVIDER_ALIASES.get(name) ?? name;
}

/** Returns the reason why a name can't be used for a provider; undefined if it can. */
export function providerNameProblem(name: string): string | undefined {
  if (!PROVIDER_NAME.test(name)) return "expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter";
  if (name === "scripted") return "expected another name: scripted is reserved for models without a provider";
  const meant = PROVIDER_ALIASES.get(name);
  return meant === undefined ? undefined : `expected ${meant}; ${name} is an alias of it`;
}
