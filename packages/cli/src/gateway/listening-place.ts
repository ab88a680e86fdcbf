const EVERY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "0.0.0.0"],
  ["::", "[::]"],
]);

/**
 * Where a gateway can be reached. If it listens on all networks, its URL alone would hide that from the operator.
 *
 * @param url - its address on this machine.
 * @param host - the configured listening address.
 */
export function listeningPlace(url: string, host: string): string {
  const every = EVERY_ADDRESS.get(host);
  if (every === undefined) return url;
  return `${url} and every other address of this machine (bound to ${every}:${new URL(url).port || 80})`;
}
