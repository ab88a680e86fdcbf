import { PROVIDER_NAMES, type ProviderName, providerNameProblem, resolveProviderName } from "./provider-names.ts";

/** Models that need neither a network nor a key. */
export const SCRIPTED_MODELS = ["turns", "keyword"] as const;

/** A model and its provider. */
export interface ModelName {
  /** `scripted`, or the name of a known or configured provider. */
  readonly provider: string;
  /** The provider's name for the model; may contain slashes and colons. */
  readonly model: string;
}

const BARE_NAME_PREFIXES: readonly (readonly [prefix: string, provider: ProviderName])[] = [
  ["claude-", "anthropic"],
  ["gpt-", "openai"],
  ["chatgpt-", "openai"],
  ["o1", "openai"],
  ["o3", "openai"],
  ["o4", "openai"],
  ["ft:", "openai"],
  ["gemini-", "google"],
  ["mistral-", "mistral"],
  ["ministral-", "mistral"],
  ["magistral", "mistral"],
  ["codestral", "mistral"],
  ["devstral", "mistral"],
  ["pixtral", "mistral"],
  ["open-mistral-", "mistral"],
  ["open-mixtral-", "mistral"],
  ["grok-", "xai"],
  ["deepseek-", "deepseek"],
  ["qwen", "alibaba"],
  ["qwq", "alibaba"],
  ["glm-", "zai"],
];

/** The supported forms of a model name, for use in messages. */
export const MODEL_NAME_FORMS =
  `expected <provider>/<model>, where the provider is ${PROVIDER_NAMES.join(", ")} or a configured one; ` +
  `${SCRIPTED_MODELS.map((name) => `scripted/${name}`).join(" or ")}; ` +
  "or a bare name that starts with claude-, gpt-, o1, o3, o4, gemini-, mistral-, magistral, grok-, deepseek-, qwen or glm-";

/**
 * Parses a model name: `provider/model`, split at the first slash because the model's name may contain slashes, or a
 * bare name. Returns `undefined` for any other form. Does not check whether the provider exists.
 */
export function parseModelName(name: string): ModelName | undefined {
  const slash = name.indexOf("/");
  if (slash === -1) return parseBareName(name);
  const provider = resolveProviderName(name.slice(0, slash));
  const model = name.slice(slash + 1);
  if (provider === "scripted") {
    return SCRIPTED_MODELS.some((known) => known === model) ? { provider, model } : undefined;
  }
  return model === "" || providerNameProblem(provider) !== undefined ? undefined : { provider, model };
}

function parseBareName(model: string): ModelName | undefined {
  const found = BARE_NAME_PREFIXES.find(([prefix]) => model.startsWith(prefix));
  if (found === undefined) return undefined;
  const [prefix, provider] = found;
  // Local servers use such names: `qwen3:8b` belongs to Ollama, not to Alibaba.
  if (model.includes(":") && prefix !== "ft:") return undefined;
  return { provider, model };
}
