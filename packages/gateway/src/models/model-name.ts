import { PROVIDER_NAMES, type ProviderName } from "./provider-settings.ts";

/** The models that need neither network nor key. */
export const SCRIPTED_MODELS = ["turns", "keyword"] as const;
export type ScriptedModelName = (typeof SCRIPTED_MODELS)[number];

/** Which model of which provider is meant. */
export type ModelName =
  | { readonly provider: ProviderName; readonly model: string }
  | { readonly provider: "scripted"; readonly model: ScriptedModelName };

const BARE_NAME_PREFIXES: readonly (readonly [prefix: string, provider: ProviderName])[] = [
  ["claude-", "anthropic"],
  ["gpt-", "openai"],
  ["chatgpt-", "openai"],
  ["o1", "openai"],
  ["o3", "openai"],
  ["o4", "openai"],
  ["gemini-", "google"],
];

/** What a model may be called, for messages. */
export const MODEL_NAME_FORMS =
  `expected ${PROVIDER_NAMES.map((name) => `${name}/…`).join(", ")}, ` +
  `${SCRIPTED_MODELS.map((name) => `scripted/${name}`).join(", ")}, ` +
  "or a bare name that starts with claude-, gpt-, chatgpt-, o1, o3, o4 or gemini-";

/**
 * Reads `provider/model` (split at the first slash, so that the model's own name may hold more of them) or a bare
 * name. `undefined`: no provider here has such a model.
 */
export function parseModelName(name: string): ModelName | undefined {
  const slash = name.indexOf("/");
  if (slash === -1) {
    const provider = BARE_NAME_PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1];
    return provider === undefined ? undefined : { provider, model: name };
  }
  const prefix = name.slice(0, slash);
  const model = name.slice(slash + 1);
  if (prefix === "scripted") {
    const scripted = SCRIPTED_MODELS.find((known) => known === model);
    return scripted === undefined ? undefined : { provider: "scripted", model: scripted };
  }
  const provider = PROVIDER_NAMES.find((known) => known === prefix);
  return provider === undefined || model === "" ? undefined : { provider, model };
}
