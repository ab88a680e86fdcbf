import { isKnownProvider } from "./provider-names.ts";
import { apiKeyVariableOf, COMPATIBLE_PROVIDERS_VARIABLE } from "./provider-settings.ts";

/** What to do about a provider that is not configured. */
export function missingProvider(name: string): string {
  const putOwn = `PUT /v1/providers/${name}`;
  return isKnownProvider(name)
    ? `${name} has no API key here; set ${apiKeyVariableOf(name)}, or give the workspace its own with ${putOwn}`
    : `there is no provider ${name} here; configure it in ${COMPATIBLE_PROVIDERS_VARIABLE}, or for the workspace with ${putOwn}`;
}
