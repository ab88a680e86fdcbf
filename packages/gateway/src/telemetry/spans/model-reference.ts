/** Which model of which provider an agent's model is. */
export interface ModelReference {
  readonly provider: string;
  readonly model: string;
}

// What the GenAI conventions call them, where that is another name than ours.
const CONVENTIONAL_NAMES: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** A provider by its name in the GenAI conventions. */
export function conventionalProvider(provider: string): string {
  return Object.hasOwn(CONVENTIONAL_NAMES, provider) ? (CONVENTIONAL_NAMES[provider] ?? provider) : provider;
}
