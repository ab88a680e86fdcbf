import type { ProviderSettings, ProvidersSettings } from "./provider-settings.ts";

/**
 * Returns the settings of a provider. It looks up own properties only, because a name may equal a property that every
 * object inherits, such as `constructor`.
 */
export function settingsOf(providers: ProvidersSettings, name: string): ProviderSettings | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}
