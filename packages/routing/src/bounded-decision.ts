import type { IntentRoute, RouteDecision } from "@yagate/protocol";

/** Maximum size of a recorded decision, in bytes of JSON. */
export const MAX_DECISION_BYTES = 16_384;

const MAX_KEPT_CANDIDATES = 3;

/**
 * Shortens a decision that would be too large for an event. It first leaves out the refused capabilities, then the
 * candidates after the third, then all but the chosen ones, and at last the rules and the lists of the routing. A decision
 * without its rules is marked with `isTruncated`.
 */
export function boundedDecision(decision: RouteDecision): RouteDecision {
  for (const shorten of STEPS) {
    const shorter = shorten(decision);
    if (bytesOf(shorter) <= MAX_DECISION_BYTES) return shorter;
  }
  return { ...withoutLists(decision), intents: [] };
}

const STEPS: readonly ((decision: RouteDecision) => RouteDecision)[] = [
  (decision) => decision,
  (decision) => withRoutes(decision, Number.POSITIVE_INFINITY),
  (decision) => withRoutes(decision, MAX_KEPT_CANDIDATES),
  (decision) => withRoutes(decision, 1),
  (decision) => withoutLists(withRoutes(decision, 1)),
];

function withRoutes(decision: RouteDecision, most: number): RouteDecision {
  return { ...decision, intents: decision.intents.map((route) => shortened(route, most)) };
}

function shortened(route: IntentRoute, most: number): IntentRoute {
  const candidates = route.candidates.slice(0, most);
  const omitted = Object.keys(route.refused).length + route.candidates.length - candidates.length;
  return { ...route, candidates, refused: {}, ...(omitted === 0 ? {} : { omitted }) };
}

function withoutLists(decision: RouteDecision): RouteDecision {
  const { scopes: _scopes, intents: _intents, ...routing } = decision.routing;
  return { ...decision, routing, rules: [], isTruncated: true };
}

function bytesOf(decision: RouteDecision): number {
  return Buffer.byteLength(JSON.stringify(decision));
}
