import type { ExecutionRouting, RouteCandidate } from "@yagate/protocol";
import { isHosted } from "./capability-entry.ts";
import type { CapabilityFacts } from "./refusal-of.ts";

const CITATION_BONUS = 5;
const REGION_BONUS = 10;
const COST_PENALTY = { low: 0, medium: 10, high: 20 } as const;
/** More than all other terms together, so that a capability that has failed comes last. */
const OUTAGE_PENALTY = 1_000;

/** Returns a capability with its score: its priority and the bonuses, minus the penalties. */
export function scored({ entry, version, hasFailed }: CapabilityFacts, { region }: ExecutionRouting): RouteCandidate {
  const isOfRegion = region !== undefined && entry.regions.includes(region);
  const terms = [
    entry.priority,
    entry.supportsCitations ? CITATION_BONUS : 0,
    isOfRegion ? REGION_BONUS : 0,
    0 - COST_PENALTY[entry.costClass],
    hasFailed ? 0 - OUTAGE_PENALTY : 0,
  ];
  return { key: entry.key, version, ...(isHosted(entry) ? { isHosted: true } : {}), score: scoreOf(terms), terms };
}

export function scoreOf(terms: readonly number[]): number {
  return terms.reduce((sum, term) => sum + term, 0);
}

/** Sorts capabilities, best first. Equal scores are sorted by key, so the order is the same everywhere. */
export function byScore(candidates: readonly RouteCandidate[]): RouteCandidate[] {
  return candidates.toSorted((left, right) => right.score - left.score || (left.key < right.key ? -1 : 1));
}
