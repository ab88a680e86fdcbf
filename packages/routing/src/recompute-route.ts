import type { RouteDecision } from "@yagate/protocol";
import { chooseIntents } from "./choose-intents.ts";
import { chosenOf } from "./decide-route.ts";
import { byScore, scoreOf } from "./score.ts";

/**
 * Computes a recorded decision again from its own fields: the applied rules, the routing, and the terms of the scores. The
 * result equals the recorded decision unless the record was changed.
 */
export function recomputeRoute(decision: RouteDecision): RouteDecision {
  const listed = decision.intents.map(({ intent: name, isRequired = false }) => ({ name, isRequired }));
  const { routing, isCallersChoice, toolChoice, rules: applied } = decision;
  const callersChoice = isCallersChoice === true ? toolChoice : undefined;
  const choice = chooseIntents({ listed, applied, routing, callersChoice });
  const intents = decision.intents.map((route) => {
    const { reason, visibility } = choice.intents.get(route.intent) ?? route;
    const candidates = byScore(
      route.candidates.map((candidate) => ({ ...candidate, score: scoreOf(candidate.terms) })),
    );
    return { ...route, reason, visibility, candidates, chosen: chosenOf(visibility, candidates) };
  });
  return { ...decision, rules: [...choice.rules], toolChoice: choice.toolChoice, intents };
}
