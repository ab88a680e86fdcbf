import type { ErrorCode, ExecutionEvent, IntentRoute } from "@yagate/protocol";
import type { Registry } from "prom-client";
import { ByLabel } from "./by-label.ts";
import { CounterFamily } from "./counter-family.ts";

type RouteEvent = Extract<ExecutionEvent, { type: "route.decided" | "route.changed" }>;

/** The common reasons why a call moves to another capability. */
const USUAL_MOVES: readonly ErrorCode[] = [
  "NOT_CONFIGURED",
  "TIMEOUT",
  "NETWORK_ERROR",
  "HANDLER_ERROR",
  "RATE_LIMITED",
];

/**
 * Creates the function that counts the events of routing.
 *
 * @param codeLabel - returns the label for an error code; the number of labels must be bounded.
 */
export function createRouteMetrics(registry: Registry, codeLabel: (code: string) => string) {
  const routes = new CounterFamily({
    name: "yagate_routes_decided_total",
    help: "Intents in recorded route decisions, by what serves them: tool, hosted (the model's provider), hidden or none",
    labelNames: ["served_by"],
    registry,
  });
  const moves = new CounterFamily({
    name: "yagate_routes_changed_total",
    help: "Calls that moved to another capability, by the code of the failure before",
    labelNames: ["code"],
    registry,
  });
  const routesBy = new ByLabel((servedBy) => routes.bind({ served_by: servedBy }));
  const movesBy = new ByLabel((code) => moves.bind({ code }));
  for (const servedBy of ["tool", "hosted", "hidden", "none"]) routesBy.of(servedBy);
  for (const code of USUAL_MOVES) movesBy.of(code);

  return (event: RouteEvent): void => {
    if (event.type === "route.changed") return movesBy.of(codeLabel(event.error.code)).inc();
    for (const intent of event.intents) routesBy.of(servedByOf(intent)).inc();
  };
}

/** Returns the label for what serves an intent. */
function servedByOf({ chosen, visibility, candidates }: IntentRoute): "tool" | "hosted" | "hidden" | "none" {
  if (visibility === "hidden") return "hidden";
  if (chosen === null) return "none";
  return candidates.find(({ key }) => key === chosen)?.isHosted === true ? "hosted" : "tool";
}
