import type { Attributes } from "@opentelemetry/api";
import type { ModelResponse } from "@yagate/protocol";

/** Which model of which provider an agent's model is. */
export interface ModelReference {
  readonly provider: string;
  readonly model: string;
  /** Where it is asked. */
  readonly server?: { readonly address: string; readonly port: number } | undefined;
}

/** The server, as all of OpenTelemetry's conventions name it. */
export function serverAttributes({ server }: ModelReference): Attributes {
  return { "server.address": server?.address, "server.port": server?.port };
}

/** What the provider said of its answer. */
export function responseAttributes(response: ModelResponse | undefined): Attributes {
  return { "gen_ai.response.id": response?.id, "gen_ai.response.model": response?.model };
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
