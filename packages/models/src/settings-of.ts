import type { ProviderSettings, ProvidersSettings } from "./provider-settings.ts";

/**
 * Returns the settings of a provider. Only own properties are looked up, because a provider's name may equal an
 * inherited property, such as `constructor`.
 */
export function settingsOf(providers: ProvidersSettings, name: string): ProviderSettings | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}
