/**
 * A wait of at least so long is worth laying the execution down for: two commits more, a claim, and reading its log
 * again. What is due is looked for every second, so a wait of this length ends at most a fifth later than it was meant to.
 */
const FAR_OFF_MS = 5_000;

/** Whether nothing of an execution need stay in memory until then. Both in ms since the epoch. */
export function isFarOff(at: number, now: number): boolean {
  return at - now >= FAR_OFF_MS;
}
