import type { JsonObject } from "@yagate/lib/json/json-object";
import { FORMATS } from "@yagate/lib/json-schema/formats/parameter-formats";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { SchemaProblem } from "@yagate/lib/json-schema/schema-problem";
import { compileCheckedSchema } from "@yagate/lib/json-schema/schema-validator";
import type { ViolationList } from "@yagate/lib/json-schema/violation";
import { toPlainSchema } from "./plain-schema.ts";

/** What a schema says of a value. `too much work`: it can't be known within the budget. */
export type Verdict = "valid" | "too much work" | ViolationList;

/** A compiled schema. Neither changes the value nor keeps it. */
export type CheckValue = (value: unknown) => Verdict;

/**
 * Compiles a schema that `checkParametersSchema` found no issue in.
 *
 * A schema and a value that are both small can still ask for hours: alternatives that refer back double the work at each
 * level, a pattern is matched to every item. Steps are counted, not time, so that the answer is the same every run.
 *
 * @throws Error when the schema can't be compiled.
 */
export function compileSchema(schema: JsonObject): CheckValue {
  const check = compileCheckedSchema(
    {
      schema: toPlainSchema(schema),
      draft: "2020-12",
      documents: {},
      assertFormats: true,
      formats: FORMATS,
      quotesValues: false,
    },
    { maxViolations: VALUE_LIMITS.maxViolations, maxSteps: VALUE_LIMITS.maxSteps },
  );
  return (value) => {
    try {
      const violations = check(value);
      return violations.count === 0 ? "valid" : violations;
    } catch (error) {
      // References that lead on for thousands of schemas overflow the stack before they have used up the steps.
      if (error instanceof RangeError || (error instanceof SchemaProblem && error.code === "TOO_COMPLEX")) {
        return "too much work";
      }
      throw error;
    }
  };
}
