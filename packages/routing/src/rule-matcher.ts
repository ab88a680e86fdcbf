import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import { defined } from "@yagate/lib/objects/defined";
import type { AppliedRule, JsonObject, RoutingRule } from "@yagate/protocol";

/** What rules are compared with. */
export interface RuledRequest {
  /** The words of the user. */
  readonly text: string;
  readonly metadata: JsonObject;
  /** Returns the language of the text as an ISO 639 code; null if it is unclear. Asked only if a rule needs it. */
  readonly language: () => string | null;
}

/** Returns the rules that apply to a request, in the order of the agent. */
export type RuleMatcher = (request: RuledRequest) => readonly AppliedRule[];

/** Maximum length of the text that rules read, in characters: the beginning and the end of a longer one. */
const MAX_TEXT = 20_000;

type Condition = (request: RuledRequest & { readonly folded: string }) => boolean;

/**
 * Compiles the rules of an agent. All of them take linear time in the length of the text.
 *
 * @param rules - rules that were checked when the agent was saved.
 * @throws Error for a pattern that is not accepted.
 */
export function createRuleMatcher(rules: readonly RoutingRule[]): RuleMatcher {
  const compiled = rules.map((rule, index) => ({ conditions: conditionsOf(rule), applied: toApplied(rule, index) }));
  return (request) => {
    const text = excerpt(request.text);
    const given = { ...request, text, folded: fold(text) };
    return compiled.flatMap(({ conditions, applied }) => (conditions.every((holds) => holds(given)) ? [applied] : []));
  };
}

function toApplied({ name, intents = [], toolChoice, strict }: RoutingRule, index: number): AppliedRule {
  return {
    name: name ?? `rules[${index}]`,
    intents,
    ...defined({ toolChoice, strict: strict === true ? true : undefined }),
  };
}

function conditionsOf({ when }: RoutingRule): readonly Condition[] {
  const { words, phrases, patterns, languages, metadata } = when;
  const conditions: Condition[] = [];
  if (metadata !== undefined) {
    const entries = Object.entries(metadata);
    conditions.push((request) => entries.every(([name, value]) => request.metadata[name] === value));
  }
  if (words !== undefined) {
    const wanted = words.map((word) => ` ${wordsOf(fold(word)).join(" ")} `);
    conditions.push(({ folded }) => {
      const text = ` ${wordsOf(folded).join(" ")} `;
      return wanted.some((word) => text.includes(word));
    });
  }
  if (phrases !== undefined) {
    const wanted = phrases.map(fold);
    conditions.push(({ folded }) => wanted.some((phrase) => folded.includes(phrase)));
  }
  if (patterns !== undefined) {
    const compiled = patterns.map((pattern) => new LinearPattern(pattern));
    conditions.push(({ text }) => compiled.some((pattern) => pattern.test(text)));
  }
  if (languages !== undefined) {
    conditions.push(({ language }) => languages.includes(language() ?? ""));
  }
  return conditions;
}

function excerpt(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function wordsOf(folded: string): readonly string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
