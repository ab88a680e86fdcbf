const EVERY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "0.0.0.0"],
  ["::", "[::]"],
]);

/**
 * Describes where a gateway can be reached. If the gateway listens on all networks, its URL alone would not show this
 * to the operator.
 */
export function listeningPlace(url: string, host: string): string {
  const every = EVERY_ADDRESS.get(host);
  if (every === undefined) return url;
  return `${url} and every other address of this machine (bound to ${every}:${new URL(url).port || 80})`;
}
