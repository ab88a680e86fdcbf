import type { AppliedRule, ExecutionRouting, IntentReason, IntentRoute, RouteDecision } from "@yagate/protocol";

/** An intent of an agent. */
export interface ListedIntent {
  readonly name: string;
  readonly isRequired: boolean;
}

/** What decides which intents a request needs. */
export interface IntentQuestion {
  readonly listed: readonly ListedIntent[];
  /** The rules that apply to the request, in the order of the agent. */
  readonly applied: readonly AppliedRule[];
  /** The intents to which the caller and its key narrow the execution. */
  readonly routing: Pick<ExecutionRouting, "intents">;
  /** The choice of the caller, which wins over the rules. */
  readonly callersChoice: RouteDecision["toolChoice"] | undefined;
}

/** Which intents a request needs. */
export interface IntentChoice {
  /** The decision for each listed intent, by its name. */
  readonly intents: ReadonlyMap<string, Pick<IntentRoute, "reason" | "visibility">>;
  readonly toolChoice: RouteDecision["toolChoice"];
  /** Whether a strict rule hides the tools without an intent. */
  readonly hidesOthers: boolean;
  /** The rules that count: without those that forbid tools, if they yield. */
  readonly rules: readonly AppliedRule[];
}

/**
 * Decides which intents a request needs. A rule prefers: its intents are shown, and the others are deferred, or hidden by
 * a strict rule. A rule that forbids tools yields to any other rule that applies and to a required intent.
 */
export function chooseIntents({ listed, applied, routing, callersChoice }: IntentQuestion): IntentChoice {
  const rules = withoutYielding(applied, listed);
  const wanted = new Set(rules.flatMap(({ intents }) => intents));
  const isStrict = rules.some(({ strict }) => strict === true);
  const narrowed = routing.intents === undefined ? undefined : new Set(routing.intents);
  const reasonOf = ({ name, isRequired }: ListedIntent): IntentReason => {
    if (narrowed?.has(name) === false) return "excluded";
    if (isRequired) return "required";
    if (wanted.has(name)) return "rule";
    if (isStrict) return "strict";
    if (narrowed !== undefined) return "caller";
    return wanted.size > 0 ? "not_preferred" : "default";
  };
  return {
    intents: new Map(
      listed.map((intent) => {
        const reason = reasonOf(intent);
        return [intent.name, { reason, visibility: VISIBILITY[reason] }];
      }),
    ),
    toolChoice: callersChoice ?? choiceOf(rules),
    hidesOthers: isStrict,
    rules,
  };
}

const VISIBILITY = {
  caller: "shown",
  rule: "shown",
  default: "shown",
  required: "shown",
  not_preferred: "deferred",
  strict: "hidden",
  excluded: "hidden",
} as const satisfies Record<IntentReason, IntentRoute["visibility"]>;

function withoutYielding(applied: readonly AppliedRule[], listed: readonly ListedIntent[]): readonly AppliedRule[] {
  const isForbidding = ({ toolChoice }: AppliedRule) => toolChoice === "forbidden";
  const yields = applied.some((rule) => !isForbidding(rule)) || listed.some(({ isRequired }) => isRequired);
  return yields ? applied.filter((rule) => !isForbidding(rule)) : applied;
}

function choiceOf(rules: readonly AppliedRule[]): RouteDecision["toolChoice"] {
  if (rules.some(({ toolChoice }) => toolChoice === "required")) return "required";
  return rules.some(({ toolChoice }) => toolChoice === "forbidden") ? "forbidden" : "auto";
}
