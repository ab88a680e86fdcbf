/**
 * Returns a key that is equal for tool names which a model or a provider can't distinguish: providers reject dots, so
 * they become `_`, and models confuse upper and lower case.
 */
export function toolNameKey(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").toLowerCase();
}
