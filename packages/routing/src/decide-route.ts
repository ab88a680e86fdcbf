import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import type { ExecutionRouting, IntentRoute, RouteCandidate, RouteDecision, RouteRefusal } from "@yagate/protocol";
import type { IntentChoice } from "./choose-intents.ts";
import { type CapabilityFacts, type RoutedModel, refusalOf } from "./refusal-of.ts";
import { byScore, scored } from "./score.ts";

/** An intent of an agent with everything that can serve it. */
export interface RoutableIntent {
  readonly name: string;
  /** Name of the tool that the model reads. */
  readonly tool: string;
  readonly isRequired: boolean;
  readonly capabilities: readonly CapabilityFacts[];
}

/** What the decision about one model turn depends on. */
export interface RouteQuestion {
  readonly turn: number;
  readonly model: RoutedModel;
  /** The routing of the execution, within the bounds of its key. */
  readonly routing: ExecutionRouting;
  readonly choice: IntentChoice;
  /** Whether the caller chose `toolChoice`. */
  readonly isCallersChoice: boolean;
  readonly intents: readonly RoutableIntent[];
  /** Names of the agent's tools without an intent. */
  readonly otherTools: readonly string[];
}

/** Decides which capability serves each intent in a model turn. The same question always has the same answer. */
export function decideRoute(question: RouteQuestion): RouteDecision {
  const { turn, model, routing, choice, isCallersChoice, otherTools } = question;
  const intents = question.intents.map((intent) => routeOf(intent, question));
  return {
    turn,
    model: `${model.provider}/${model.model}`,
    routing,
    rules: [...choice.rules],
    toolChoice: choice.toolChoice,
    ...(isCallersChoice ? { isCallersChoice } : {}),
    intents,
    shown: summaryOf(shownTools({ toolChoice: choice.toolChoice, intents }, choice.hidesOthers ? [] : otherTools)),
  };
}

function routeOf({ name, tool, isRequired, capabilities }: RoutableIntent, question: RouteQuestion): IntentRoute {
  const { routing, model, choice } = question;
  const { reason, visibility } = choice.intents.get(name) ?? { reason: "default", visibility: "shown" };
  const candidates: RouteCandidate[] = [];
  const refused: Record<string, RouteRefusal> = {};
  for (const facts of capabilities) {
    const refusal = refusalOf(facts, routing, model);
    if (refusal === undefined) candidates.push(scored(facts, routing));
    else refused[facts.entry.key] = refusal;
  }
  const sorted = byScore(candidates);
  const chosen = chosenOf(visibility, sorted);
  const required = isRequired ? true : undefined;
  return {
    intent: name,
    tool,
    ...defined({ isRequired: required }),
    reason,
    visibility,
    chosen,
    candidates: sorted,
    refused,
  };
}

/** Returns the capability that serves an intent: the best one, unless the intent is hidden. */
export function chosenOf(visibility: IntentRoute["visibility"], sorted: readonly RouteCandidate[]): string | null {
  return visibility === "hidden" ? null : (sorted[0]?.key ?? null);
}

/** Returns the names of the tools that a turn shows: those of served intents, and the others. */
export function shownTools(
  { toolChoice, intents }: Pick<RouteDecision, "toolChoice" | "intents">,
  otherTools: readonly string[],
): readonly string[] {
  if (toolChoice === "forbidden") return [];
  return [...intents.flatMap(({ chosen, tool }) => (chosen === null ? [] : [tool])), ...otherTools];
}

function summaryOf(names: readonly string[]): RouteDecision["shown"] {
  const hash = createHash("sha256").update(names.toSorted().join("\n")).digest("hex");
  return { count: names.length, hash: `sha256:${hash}` };
}

/** Returns the names of the required intents that no capability serves. */
export function unservedIntents({ intents }: Pick<RouteDecision, "intents">): readonly string[] {
  return intents.flatMap(({ intent, isRequired, chosen }) => (isRequired === true && chosen === null ? [intent] : []));
}
