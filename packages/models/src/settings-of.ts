import type { ProviderSettings, ProvidersSettings } from "./provider-settings.ts";

/** The settings of a provider. Its name may be a property that every object has, such as `constructor`. */
export function settingsOf(providers: ProvidersSettings, name: string): ProviderSettings | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}
