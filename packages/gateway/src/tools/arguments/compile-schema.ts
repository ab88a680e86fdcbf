import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { LinearPattern } from "@yagate/lib/json-schema/linear-pattern";
import type { CodeKeywordDefinition, ErrorObject, KeywordCxt } from "ajv";
import { _, Ajv2020, Name } from "ajv/dist/2020.js";
import { STEPS_KEYWORD, toCompilableSchema } from "./compilable-schema.ts";
import { FORMATS } from "./formats.ts";
import { WorkBudget, WorkBudgetExceeded } from "./work-budget.ts";

/** What a compiled schema says of a value. `too much work`: it can't be known within the budget. */
export type Verdict = "valid" | "too much work" | readonly ErrorObject[];

/** A compiled schema. Neither changes the value nor keeps it. */
export type CheckValue = (value: unknown) => Verdict;

/**
 * Compiles a schema that `checkParametersSchema` found no issue in.
 *
 * Each schema gets its own Ajv: a shared one never forgets what it compiled, and lets two documents with the same
 * anchor or id see each other.
 *
 * @throws Error when the schema can't be compiled.
 */
export function compileSchema(schema: JsonObject): CheckValue {
  const budget = new WorkBudget();
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    messages: false,
    // With them a name that every object inherits, such as toString, would count as given.
    ownProperties: true,
    // 19.99 is a multiple of 0.01, which no division of doubles agrees to.
    multipleOfPrecision: 6,
    // A definition that is used n times would be compiled n times.
    inlineRefs: false,
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    formats: FORMATS,
    keywords: [spendingKeyword(budget)],
    code: { optimize: false, regExp: patternEngine(budget) },
  });
  const validate = ajv.compile<unknown>(toCompilableSchema(schema));
  return (value) => {
    budget.reset();
    try {
      if (validate(value)) return "valid";
      return validate.errors ?? [];
    } catch (error) {
      if (error instanceof WorkBudgetExceeded || error instanceof RangeError) return "too much work";
      throw error;
    } finally {
      validate.errors = null;
    }
  };
}

function patternEngine(budget: WorkBudget) {
  const engine = (source: string) => {
    const pattern = new LinearPattern(source);
    const stepsPerCharacter = 2 + pattern.instructions / 32;
    return {
      test(text: string): boolean {
        budget.spend(Math.ceil(text.length * stepsPerCharacter));
        return pattern.test(text);
      },
      // Ajv takes two patterns for one when their texts are equal, and "[object Object]" always is.
      toString: () => `/${source}/`,
    };
  };
  return Object.assign(engine, { code: "linearPattern" });
}

function spendingKeyword(budget: WorkBudget): CodeKeywordDefinition {
  return {
    keyword: STEPS_KEYWORD,
    schemaType: "number",
    code({ gen, data, schema, parentSchema }: KeywordCxt) {
      const functionNamed = (ref: (...args: never[]) => void) => gen.scopeValue("func", { ref });
      gen.code(_`${functionNamed(budget.spendOnSchema)}(${schema}, ${new Name("vErrors")})`);
      if ("minLength" in parentSchema || "maxLength" in parentSchema || "format" in parentSchema) {
        gen.code(_`${functionNamed(budget.spendOnText)}(${data})`);
      }
      if (parentSchema["uniqueItems"] === true && !hasScalarItems(parentSchema))
        gen.code(_`${functionNamed(budget.spendOnPairs)}(${data})`);
    },
  };
}

/** Items of scalar types are compared by a hash, each once. */
function hasScalarItems({ items }: Record<string, unknown>): boolean {
  const type = isJsonObject(items) ? items["type"] : undefined;
  return type !== undefined && ![type].flat().some((name) => name === "object" || name === "array");
}
