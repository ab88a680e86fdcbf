import type { JsonObject } from "../json/json-object.ts";
import { Evaluated, UNTRACKED } from "./evaluated.ts";
import type { Format, Formats } from "./formats/formats.ts";
import { ASSERTIONS } from "./keywords/assertions.ts";
import { CHILD_APPLICATORS, UNEVALUATED } from "./keywords/child-applicators.ts";
import { CONTENT_KEYWORDS } from "./keywords/content.ts";
import { IN_PLACE_APPLICATORS } from "./keywords/in-place-applicators.ts";
import { checkReferences, isReference } from "./keywords/references.ts";
import type { Dialect } from "./reading/dialect.ts";
import { type Draft, isFrom } from "./reading/drafts.ts";
import type { SchemaResource, SchemaResources } from "./reading/schema-resources.ts";
import { SchemaPatterns } from "./schema-patterns.ts";
import { SchemaProblem } from "./schema-problem.ts";
import type { StepBudget } from "./step-budget.ts";
import { type Check, type Keyword, type Ongoing, type Run, report, type Visit } from "./visit.ts";

/** For keywords that not all drafts have: the first or the last draft that has them. */
const LIFE: ReadonlyMap<string, { readonly from?: Draft; readonly until?: Draft }> = new Map([
  ["const", { from: "06" }],
  ["contains", { from: "06" }],
  ["propertyNames", { from: "06" }],
  ["exclusiveMinimum", { from: "06" }],
  ["exclusiveMaximum", { from: "06" }],
  ["if", { from: "07" }],
  ["dependentRequired", { from: "2019-09" }],
  ["dependentSchemas", { from: "2019-09" }],
  ["prefixItems", { from: "2020-12" }],
  ["additionalItems", { until: "2019-09" }],
]);

/** Options for checking values and for the wording of messages. */
export interface EvaluationOptions {
  /** Whether `format` is checked. */
  readonly assertFormats: boolean;
  readonly formats: Formats;
  /** Whether messages may quote the validated value. */
  readonly quotesValues: boolean;
}

/** A keyword of one schema, with the function that checks it and the arguments of that function. */
interface Step {
  readonly check: Keyword;
  readonly expected: unknown;
}

/** A schema prepared for validation. Its draft, dialect and keywords are determined once and used for every value. */
interface Plan {
  readonly resource: SchemaResource;
  readonly steps: readonly Step[];
}

/** Validates values against a schema and the schemas that it refers to. */
export class Evaluation implements Run {
  readonly resources: SchemaResources;
  readonly patterns = new SchemaPatterns();
  readonly budget: StepBudget;
  readonly quotesValues: boolean;
  readonly #options: EvaluationOptions;
  readonly #plans = new Map<JsonObject, Plan>();

  constructor(resources: SchemaResources, budget: StepBudget, options: EvaluationOptions) {
    this.resources = resources;
    this.budget = budget;
    this.quotesValues = options.quotesValues;
    this.#options = options;
  }

  check({ schema, value, at, scope: outer, ongoing: before, violations }: Check): Evaluated | undefined {
    const { resource, steps } = this.#planOf(schema);
    this.budget.spend(1 + steps.length);
    const scope = outer?.resource === resource ? outer : { resource, outer };
    const ongoing = { schema, before };
    if (before !== undefined) this.#refuseEndless(ongoing);
    const evaluated = this.nothingEvaluated();
    const visit = { run: this, schema, resource, value, at, scope, ongoing, evaluated, violations };
    let fits = true;
    for (const { check, expected } of steps) {
      if (check(visit, expected)) continue;
      if (violations === undefined) return undefined;
      fits = false;
    }
    return fits ? evaluated : undefined;
  }

  nothingEvaluated(): Evaluated {
    return this.resources.asksForUnevaluated ? new Evaluated() : UNTRACKED;
  }

  #planOf(schema: JsonObject): Plan {
    const known = this.#plans.get(schema);
    if (known !== undefined) return known;
    const { resource } = this.resources.placeOf(schema);
    const plan = { resource, steps: [...this.#stepsOf(schema, resource.dialect)] };
    this.#plans.set(schema, plan);
    return plan;
  }

  *#stepsOf(schema: JsonObject, dialect: Dialect): Iterable<Step> {
    const { draft, hasUnevaluated } = dialect;
    if (isReference(schema)) yield { check: checkReferences, expected: undefined };
    if (!isFrom(draft, "2019-09") && typeof schema["$ref"] === "string") return;
    for (const [keyword, expected] of Object.entries(schema)) {
      const check = this.#keyword(keyword, dialect);
      if (check !== undefined) yield { check, expected };
    }
    if (!isFrom(draft, "2019-09") || !hasUnevaluated) return;
    for (const [keyword, check] of UNEVALUATED) {
      if (Object.hasOwn(schema, keyword)) yield { check, expected: schema[keyword] };
    }
  }

  #keyword(keyword: string, { draft, hasApplicators, hasAssertions, assertsFormats }: Dialect): Keyword | undefined {
    const { assertFormats, formats } = this.#options;
    const life = LIFE.get(keyword);
    if (life?.from !== undefined && !isFrom(draft, life.from)) return undefined;
    if (life?.until !== undefined && !isFrom(life.until, draft)) return undefined;
    const applicator = CHILD_APPLICATORS.get(keyword) ?? IN_PLACE_APPLICATORS.get(keyword);
    if (applicator !== undefined) return hasApplicators ? applicator : undefined;
    if (keyword === "format") return assertFormats || assertsFormats ? checkFormat(formats) : undefined;
    if (draft === "07" && assertFormats && CONTENT_KEYWORDS.has(keyword)) return CONTENT_KEYWORDS.get(keyword);
    return hasAssertions ? ASSERTIONS.get(keyword) : undefined;
  }

  /** Throws if a schema refers back to itself for the same value, because the recursion would never end. */
  #refuseEndless(last: Ongoing): void {
    let times = 0;
    let length = 0;
    for (let one = last.before; one !== undefined; one = one.before) {
      length += 1;
      if (one.schema === last.schema) times += 1;
      // A schema may occur twice, because a dynamic reference can resolve differently the second time.
      if (times < 2) continue;
      const path = this.resources.pathOf(last.schema);
      const message = "refers back to itself without a property or item in between, so no value can be validated";
      throw new SchemaProblem("ENDLESS_REFERENCE", path, message);
    }
    this.budget.spend(length / 16);
  }
}

function checkFormat(formats: Formats): Keyword {
  return (visit, expected) => {
    const format = typeof expected === "string" ? formats.get(expected) : undefined;
    if (format === undefined || fitsFormat(visit, format)) return true;
    const example = format.example === undefined ? "" : `, such as ${format.example}`;
    return report(visit, ["format"], { message: () => `must be a valid ${expected}${example}` });
  };
}

function fitsFormat({ value, run, resource }: Visit, { fits, fitsNumber }: Format): boolean {
  if (typeof value === "number") return fitsNumber?.(value) ?? true;
  if (typeof value !== "string" || fits === undefined) return true;
  run.budget.spend(value.length);
  return fits(value, resource.dialect.draft);
}
