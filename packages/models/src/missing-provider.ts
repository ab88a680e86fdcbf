import { isKnownProvider } from "./provider-names.ts";
import { apiKeyVariableOf, COMPATIBLE_PROVIDERS_VARIABLE } from "./provider-settings.ts";

/** Returns the message for a provider that is not configured, which states what to do. */
export function missingProvider(name: string): string {
  const putOwn = `PUT /v1/providers/${name}`;
  return isKnownProvider(name)
    ? `${name} has no API key; set ${apiKeyVariableOf(name)}, or set the workspace's own key with ${putOwn}`
    : `provider ${name} is not configured; set ${COMPATIBLE_PROVIDERS_VARIABLE}, or configure it for the workspace with ${putOwn}`;
}
