import { isJsonObject } from "../../json/json-object.ts";
import { isFrom } from "../reading/drafts.ts";
import { ViolationList } from "../violation.ts";
import { checkHere, type Keyword, type KeywordPath, pointerTo, report, type Visit } from "../visit.ts";
import { choiceMessage, closestAlternative } from "./alternatives.ts";
import { reportMissing } from "./assertions.ts";

/** Keywords that check the value itself against other schemas. */
export const IN_PLACE_APPLICATORS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["allOf", checkAll],
  ["anyOf", checkAny],
  ["oneOf", checkOne],
  ["not", checkNot],
  ["if", checkCase],
  ["dependentSchemas", checkDependentSchemas],
  ["dependencies", checkDependencies],
]);

const MAX_KEPT_IN_ALTERNATIVE = 10;

/** Checks the value against another schema, and records what that schema evaluated. */
export function fitsHere(visit: Visit, schema: unknown, path: KeywordPath): boolean {
  const evaluated = checkHere(visit, schema, path);
  if (evaluated === undefined) return false;
  visit.evaluated.add(evaluated);
  return true;
}

function checkAll(visit: Visit, expected: unknown): boolean {
  let fits = true;
  for (const [index, schema] of listOf(expected)) {
    fits = fitsHere(visit, schema, ["allOf", index]) && fits;
    if (!fits && visit.violations === undefined) return false;
  }
  return fits;
}

function checkAny(visit: Visit, expected: unknown): boolean {
  const tried = tryAll(visit, expected, "anyOf");
  if (tried.fitting.length > 0) return true;
  return reportChoice(visit, "anyOf", tried.failed);
}

function checkOne(visit: Visit, expected: unknown): boolean {
  const { fitting, failed } = tryAll(visit, expected, "oneOf");
  if (fitting.length === 1) return true;
  if (fitting.length === 0) return reportChoice(visit, "oneOf", failed);
  const places = fitting.slice(0, 5).map((index) => index + 1);
  const message = () => `must match exactly one of its alternatives, but matches several: ${places.join(", ")}`;
  return report(visit, ["oneOf"], { message });
}

interface Tried {
  readonly fitting: readonly number[];
  readonly failed: readonly ViolationList[];
}

function tryAll(visit: Visit, expected: unknown, keyword: "anyOf" | "oneOf"): Tried {
  const fitting: number[] = [];
  const failed: ViolationList[] = [];
  // The remaining alternatives have to be evaluated only if unevaluated properties matter.
  const isFirstEnough = keyword === "anyOf" && !isFrom(visit.resource.dialect.draft, "2019-09");
  for (const [index, schema] of listOf(expected)) {
    const isCounted = visit.violations === undefined || visit.violations.isFull;
    const violations = isCounted ? undefined : new ViolationList(MAX_KEPT_IN_ALTERNATIVE);
    const evaluated = checkHere({ ...visit, violations }, schema, [keyword, index]);
    if (evaluated === undefined) {
      if (violations !== undefined) failed.push(violations);
      continue;
    }
    visit.evaluated.add(evaluated);
    fitting.push(index);
    if (isFirstEnough) break;
  }
  return { fitting, failed };
}

/**
 * Reports one violation for all alternatives. If only one alternative was probably meant, reports its violations
 * instead.
 */
function reportChoice(visit: Visit, keyword: "anyOf" | "oneOf", failed: readonly ViolationList[]): false {
  const { violations, at, value } = visit;
  if (violations === undefined) return false;
  if (violations.isFull) return report(visit, [keyword], { message: () => "" });
  const here = pointerTo(at);
  const meant = closestAlternative(failed, here, value);
  if (meant === undefined) {
    return report(visit, [keyword], { message: () => choiceMessage(failed, here, value, keyword) });
  }
  violations.addAll(meant);
  return false;
}

function checkNot(visit: Visit, expected: unknown): boolean {
  const evaluated = checkHere({ ...visit, violations: undefined }, expected, ["not"]);
  if (evaluated === undefined) return true;
  return report(visit, ["not"], { message: () => "must not match the schema in not" });
}

function checkCase(visit: Visit, expected: unknown): boolean {
  const { schema } = visit;
  const evaluated = checkHere({ ...visit, violations: undefined }, expected, ["if"]);
  if (evaluated !== undefined) visit.evaluated.add(evaluated);
  const branch = evaluated === undefined ? "else" : "then";
  return !Object.hasOwn(schema, branch) || fitsHere(visit, schema[branch], [branch]);
}

function checkDependentSchemas(visit: Visit, expected: unknown): boolean {
  const { value } = visit;
  if (!isJsonObject(value) || !isJsonObject(expected)) return true;
  let fits = true;
  for (const [name, schema] of Object.entries(expected)) {
    if (Object.hasOwn(value, name)) fits = fitsHere(visit, schema, ["dependentSchemas", name]) && fits;
  }
  return fits;
}

/**
 * Checks `dependencies`, a keyword of older drafts that is still supported in newer ones. Its values are lists of
 * required properties, or schemas.
 */
function checkDependencies(visit: Visit, expected: unknown): boolean {
  const { value } = visit;
  if (!isJsonObject(value) || !isJsonObject(expected)) return true;
  let fits = true;
  for (const [given, dependency] of Object.entries(expected)) {
    if (!Object.hasOwn(value, given)) continue;
    if (!Array.isArray(dependency)) {
      fits = fitsHere(visit, dependency, ["dependencies", given]) && fits;
      continue;
    }
    fits = reportMissing(visit, value, dependency, ["dependencies", given], given) && fits;
  }
  return fits;
}

function listOf(expected: unknown): Iterable<[number, unknown]> {
  return Array.isArray(expected) ? expected.entries() : [];
}
