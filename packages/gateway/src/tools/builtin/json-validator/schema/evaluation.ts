import { isJsonObject } from "@yagate/lib/json/json-object";
import { FORMATS } from "../formats/formats.ts";
import { ASSERTIONS } from "./assertions.ts";
import { CHILD_APPLICATORS, UNEVALUATED } from "./child-applicators.ts";
import { checkContent } from "./content.ts";
import { type Draft, isFrom } from "./drafts.ts";
import { Evaluated } from "./evaluated.ts";
import { IN_PLACE_APPLICATORS } from "./in-place-applicators.ts";
import { checkReferences } from "./references.ts";
import { SchemaPatterns } from "./schema-patterns.ts";
import { SchemaProblem } from "./schema-problem.ts";
import type { SchemaResources } from "./schema-resources.ts";
import type { StepBudget } from "./step-budget.ts";
import { type Check, type Keyword, type Ongoing, type Run, report, type Visit } from "./visit.ts";

/** The first draft of the keywords that the oldest one does not have, and the last one of those that are gone. */
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

/** Checks one value after the other against the schema of some resources. */
export class Evaluation implements Run {
  readonly resources: SchemaResources;
  readonly patterns = new SchemaPatterns();
  readonly budget: StepBudget;
  readonly assertFormats: boolean;

  constructor(resources: SchemaResources, budget: StepBudget, assertFormats: boolean) {
    this.resources = resources;
    this.budget = budget;
    this.assertFormats = assertFormats;
  }

  check(check: Check): Evaluated | undefined {
    this.budget.spend(1);
    const { schema, value, at, violations } = check;
    if (schema === false) {
      check.onFalse();
      return undefined;
    }
    if (!isJsonObject(schema)) return new Evaluated();
    const { resource } = this.resources.placeOf(schema);
    const scope = check.scope?.resource === resource ? check.scope : { resource, outer: check.scope };
    const ongoing = { schema, before: check.ongoing };
    this.#refuseEndless(ongoing);
    const evaluated = new Evaluated();
    const visit = { run: this, schema, resource, value, at, scope, ongoing, evaluated, violations };
    return this.#fits(visit) ? evaluated : undefined;
  }

  #fits(visit: Visit): boolean {
    const { schema, resource, violations } = visit;
    const { draft, hasUnevaluated } = resource.dialect;
    let fits = checkReferences(visit);
    if (!isFrom(draft, "2019-09") && typeof schema["$ref"] === "string") return fits;
    for (const keyword of Object.keys(schema)) {
      if (!fits && violations === undefined) return false;
      fits = this.#checkKeyword(visit, keyword) && fits;
    }
    if (!isFrom(draft, "2019-09") || !hasUnevaluated) return fits;
    for (const [keyword, apply] of UNEVALUATED) {
      if (Object.hasOwn(schema, keyword)) fits = apply(visit, schema[keyword]) && fits;
    }
    return fits;
  }

  #checkKeyword(visit: Visit, keyword: string): boolean {
    const { schema, resource, value } = visit;
    const { draft, hasApplicators, hasAssertions, assertsFormats } = resource.dialect;
    const life = LIFE.get(keyword);
    if (life?.from !== undefined && !isFrom(draft, life.from)) return true;
    if (life?.until !== undefined && !isFrom(life.until, draft)) return true;
    this.budget.spend(1);
    const expected = schema[keyword];
    const applicator = CHILD_APPLICATORS.get(keyword) ?? IN_PLACE_APPLICATORS.get(keyword);
    if (applicator !== undefined) return !hasApplicators || applicator(visit, expected);
    if (keyword === "format") return !(this.assertFormats || assertsFormats) || checkFormat(visit, expected);
    if (keyword === "pattern") return !hasAssertions || checkPattern(visit, expected);
    if (draft === "07" && this.assertFormats && keyword.startsWith("content")) return checkContent(visit, keyword);
    const assertion = hasAssertions ? ASSERTIONS.get(keyword) : undefined;
    const wrong = assertion?.({ expected, value, schema, budget: this.budget });
    if (wrong === undefined || wrong.length === 0) return true;
    for (const message of [wrong].flat()) report(visit, [keyword], message);
    return false;
  }

  /** A schema that leads back to itself for the same value would go on for ever. */
  #refuseEndless(last: Ongoing): void {
    let times = 0;
    let length = 0;
    for (let one = last.before; one !== undefined; one = one.before) {
      length += 1;
      if (one.schema === last.schema) times += 1;
      // Once more may be right: a dynamic reference can mean something else on the second way.
      if (times < 2) continue;
      const path = this.resources.pathOf(last.schema);
      const message = "leads back to itself without going into a property or an item, so that no value can be checked";
      throw new SchemaProblem("endless_reference", path, message);
    }
    this.budget.spend(length / 16);
  }
}

const checkPattern: Keyword = (visit, expected) => {
  const { value, run } = visit;
  if (typeof value !== "string" || typeof expected !== "string") return true;
  if (run.patterns.matches(expected, value, run.budget)) return true;
  return report(visit, ["pattern"], `must match the pattern ${shorten(expected)}`);
};

const checkFormat: Keyword = (visit, expected) => {
  const { value, run, resource } = visit;
  const format = typeof expected === "string" ? FORMATS.get(expected) : undefined;
  if (typeof value !== "string" || format === undefined) return true;
  run.budget.spend(value.length);
  return (
    format.fits(value, resource.dialect.draft) ||
    report(visit, ["format"], `must be a valid ${expected}, such as ${format.example}`)
  );
};

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
