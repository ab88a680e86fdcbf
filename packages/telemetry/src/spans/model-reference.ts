import type { Attributes } from "@opentelemetry/api";
import type { ModelResponse } from "@yagate/protocol";

/** A model and its provider. */
export interface ModelReference {
  readonly provider: string;
  readonly model: string;
  /** The server to which requests are sent. */
  readonly server?: { readonly address: string; readonly port: number } | undefined;
}

/** Returns the attributes of the server, with their names in the OpenTelemetry conventions. */
export function serverAttributes({ server }: ModelReference): Attributes {
  return { "server.address": server?.address, "server.port": server?.port };
}

/** Returns the attributes of the provider's response. */
export function responseAttributes(response: ModelResponse | undefined): Attributes {
  return { "gen_ai.response.id": response?.id, "gen_ai.response.model": response?.model };
}

// Names of providers in the GenAI conventions, where they differ from the gateway's names.
const CONVENTIONAL_NAMES: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** Returns the name of a provider in the GenAI conventions. */
export function conventionalProvider(provider: string): string {
  return Object.hasOwn(CONVENTIONAL_NAMES, provider) ? (CONVENTIONAL_NAMES[provider] ?? provider) : provider;
}
