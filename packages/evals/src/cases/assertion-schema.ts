import { isObject } from "@yagate/lib/json/json-object";
import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import { jsonValueSchema } from "@yagate/protocol";
import * as z from "zod";

/** The types of assertions. If promptfoo has a type of the same name, it has the same meaning. */
export const ASSERTION_TYPES = [
  "equals",
  "contains",
  "icontains",
  "regex",
  "is-json",
  "llm-rubric",
  "cost",
  "latency",
  "citation-overlap",
] as const;
export type AssertionType = (typeof ASSERTION_TYPES)[number];

/** Types that compare the output with a string. */
const TEXT_TYPES: ReadonlySet<string> = new Set(["contains", "icontains", "regex", "llm-rubric"]);
/** Types that need a threshold, because no value is right for all cases. */
const LIMIT_TYPES: ReadonlySet<string> = new Set(["cost", "latency"]);

const names: readonly string[] = ASSERTION_TYPES.flatMap((type) => [type, `not-${type}`]);

/** One statement about an execution. The prefix `not-` negates the type. */
export const assertionSchema = z
  .strictObject({
    type: z.string().refine((type) => names.includes(type), {
      error: `expected one of ${ASSERTION_TYPES.join(", ")}, each optionally with the prefix not-`,
    }),
    /** The string, value, pattern, schema or rubric to compare the output with. */
    value: jsonValueSchema.optional(),
    /**
     * US dollars for `cost`, milliseconds for `latency`, a share from 0 to 1 for `llm-rubric` and `citation-overlap`.
     */
    threshold: z.number().min(0).optional(),
    /** How much the assertion counts in the score of the case, 0 to 1,000. Default: 1. */
    weight: z.number().min(0).max(1_000).default(1),
    /** The name under which reports add up the score. Default: the type. */
    metric: z.string().trim().min(1).max(100).optional(),
  })
  .superRefine(({ type, value, threshold }, context) => {
    const { base } = splitType(type);
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (base === "equals" && value === undefined) refuse("value", "expected a string or another value to compare with");
    if (TEXT_TYPES.has(base) && (typeof value !== "string" || value === "")) {
      refuse("value", `expected a string, because the type is ${type}`);
    }
    if (base === "regex" && typeof value === "string") {
      const problem = patternProblem(value);
      if (problem !== undefined) refuse("value", `the pattern ${problem}`);
    }
    if (base === "is-json" && value !== undefined && !isObject(value)) {
      refuse("value", "expected a JSON Schema, or no value");
    }
    if (LIMIT_TYPES.has(base) && threshold === undefined) {
      refuse(
        "threshold",
        base === "cost" ? "expected the maximum in US dollars" : "expected the maximum in milliseconds",
      );
    }
    if (!LIMIT_TYPES.has(base) && threshold !== undefined && threshold > 1) {
      refuse("threshold", "expected a share from 0 to 1");
    }
  });
export type Assertion = z.output<typeof assertionSchema>;

/** Separates the prefix `not-` from the type of an assertion. */
export function splitType(type: string): { readonly base: AssertionType | ""; readonly isNegated: boolean } {
  const isNegated = type.startsWith("not-");
  const rest = isNegated ? type.slice("not-".length) : type;
  return { base: ASSERTION_TYPES.find((known) => known === rest) ?? "", isNegated };
}

function patternProblem(pattern: string): string | undefined {
  try {
    new LinearPattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "is not valid";
  }
}
