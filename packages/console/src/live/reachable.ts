/** After this time without a response, the page says that it is reconnecting. */
export const RECONNECTING_AFTER_MS = 3_000;

type Listener = () => void;

let unreachableSince: number | undefined;
const listeners = new Set<Listener>();

/** Records whether the gateway responded to the last request. */
export function noteReachable(isReachable: boolean): void {
  const before = unreachableSince;
  if (isReachable) unreachableSince = undefined;
  else unreachableSince ??= Date.now();
  if (before !== unreachableSince) for (const listener of listeners) listener();
}

/** Returns since when the gateway has not responded; undefined if it has. */
export function unreachableFrom(): number | undefined {
  return unreachableSince;
}

export function onReachableChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
