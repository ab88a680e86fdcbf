const EVERY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "0.0.0.0"],
  ["::", "[::]"],
]);

/**
 * Where a gateway can be reached. The URL of one that is open to every network names this machine alone, which would
 * hide that from whoever started it.
 *
 * @param url - where this machine reaches it.
 * @param host - what it was told to listen on.
 */
export function listeningPlace(url: string, host: string): string {
  const every = EVERY_ADDRESS.get(host);
  if (every === undefined) return url;
  return `${url} and every other address of this machine, bound to ${every}:${new URL(url).port || 80}`;
}
