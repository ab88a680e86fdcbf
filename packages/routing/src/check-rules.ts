import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import { canonicalJson, type FieldError, type RoutingRule } from "@yagate/protocol";

/**
 * Finds the problems of an agent's rules: patterns that are slow or no regular expressions, intents that the agent does not
 * list, and rules that contradict each other.
 *
 * @param listed - the intents among the agent's tools.
 */
export function checkRules(rules: readonly RoutingRule[], listed: ReadonlySet<string>): readonly FieldError[] {
  return [
    ...rules.flatMap((rule, index) => [...patternProblems(rule, index), ...intentProblems(rule, index, listed)]),
    ...conflicts(rules),
  ];
}

function patternProblems({ when }: RoutingRule, index: number): readonly FieldError[] {
  return (when.patterns ?? []).flatMap((pattern, at) => {
    try {
      new LinearPattern(pattern);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : "must be a valid regular expression";
      const path = `routing.rules[${index}].when.patterns[${at}]`;
      return [{ path, code: "PATTERN_REFUSED", message: `the pattern ${reason}` }];
    }
  });
}

function intentProblems(
  { intents = [] }: RoutingRule,
  index: number,
  listed: ReadonlySet<string>,
): readonly FieldError[] {
  return intents.flatMap((intent, at) => {
    if (listed.has(intent)) return [];
    const path = `routing.rules[${index}].intents[${at}]`;
    const message = `expected an intent among the agent's tools: add { "intent": "${intent}" } to tools`;
    return [{ path, code: "UNKNOWN_INTENT", message }];
  });
}

/** Rules with the same conditions always apply together, so they must not want opposites. */
function conflicts(rules: readonly RoutingRule[]): readonly FieldError[] {
  const seen = new Map<string, { readonly rule: RoutingRule; readonly index: number }>();
  return rules.flatMap((rule, index) => {
    const key = canonicalJson(sortedLists(rule.when));
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, { rule, index });
      return [];
    }
    const problem = conflictOf(earlier.rule, rule);
    if (problem === undefined) return [];
    const message = `${problem}: routing.rules[${earlier.index}] has the same conditions; merge the two rules`;
    return [{ path: `routing.rules[${index}]`, code: "RULES_CONFLICT", message }];
  });
}

function conflictOf(left: RoutingRule, right: RoutingRule): string | undefined {
  const choices = new Set([left.toolChoice ?? "auto", right.toolChoice ?? "auto"]);
  if (choices.size > 1 && choices.has("forbidden")) return "expected the same toolChoice";
  const isOneStrict = (left.strict === true) !== (right.strict === true);
  if (isOneStrict) return "expected both rules to be strict, or neither";
  const shares = (left.intents ?? []).some((intent) => right.intents?.includes(intent));
  const areStrict = left.strict === true && right.strict === true;
  return areStrict && !shares ? "expected one strict rule with all intents" : undefined;
}

function sortedLists(when: RoutingRule["when"]) {
  return Object.fromEntries(
    Object.entries(when)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  );
}
