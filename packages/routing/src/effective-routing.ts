import { defined } from "@yagate/lib/objects/defined";
import { COST_CLASSES, DATA_CLASSES, type ExecutionRouting, type KeyRouting } from "@yagate/protocol";

/** What decides about the routing of one execution. */
export interface RoutingBounds {
  /** The `routing` of the request. */
  readonly request?: ExecutionRouting | undefined;
  /** The top-level `scopes` of the request, which mean the same as `routing.scopes`. */
  readonly scopes?: readonly string[] | undefined;
  /** The bounds of the API key that starts the execution; null or absent if it has none. */
  readonly key?: KeyRouting | null | undefined;
  /** What the agent's version declares. */
  readonly agent?: Pick<ExecutionRouting, "dataClass" | "requireCitations"> | undefined;
}

/**
 * Returns the routing of an execution. No request exceeds the bounds of its key: the scopes are those of the request that
 * the key allows, the strictest data class applies, and the region and the cost class of the key win.
 *
 * @returns undefined if neither the request nor the key nor the agent says anything. Absent fields have their defaults: no
 *   scopes, `confidential` data, any region, any cost class, all intents.
 */
export function effectiveRouting({
  request = {},
  scopes,
  key,
  agent = {},
}: RoutingBounds): ExecutionRouting | undefined {
  const bounds = key ?? {};
  const region = bounds.region ?? request.region;
  const dataClass = strictest(DATA_CLASSES, [request.dataClass, agent.dataClass, bounds.dataClass]);
  const maxCostClass = lowest(COST_CLASSES, [request.maxCostClass, bounds.maxCostClass]);
  const allowedScopes = intersection(request.scopes ?? scopes, bounds.scopes ?? []);
  const intents = request.intents === undefined ? bounds.intents : intersection(request.intents, bounds.intents);
  const isRequired = request.requireCitations === true || agent.requireCitations === true;
  const effective: ExecutionRouting = defined({
    ...{ scopes: allowedScopes, dataClass, region, maxCostClass, intents },
    requireCitations: isRequired ? true : undefined,
  });
  return Object.keys(effective).length === 0 ? undefined : effective;
}

/** Returns the given words that are among the allowed ones, without duplicates. */
function intersection(
  words: readonly string[] | undefined,
  allowed: readonly string[] | undefined,
): string[] | undefined {
  if (words === undefined) return undefined;
  const unique = [...new Set(words)];
  return allowed === undefined ? unique : unique.filter((word) => allowed.includes(word));
}

function strictest<Word extends string>(order: readonly Word[], words: readonly (Word | undefined)[]) {
  return order.findLast((word) => words.includes(word));
}

function lowest<Word extends string>(order: readonly Word[], words: readonly (Word | undefined)[]) {
  return order.find((word) => words.includes(word));
}
