import { isJsonObject } from "../../json/json-object.ts";
import { isFrom } from "../reading/drafts.ts";
import { ViolationList } from "../violation.ts";
import { shortText } from "../violation-text.ts";
import { fitsInside, type Keyword, pointerTo, report, type Visit } from "../visit.ts";
import { counted, shownList } from "../wording.ts";

/** Keywords that check the children of an object or array. */
export const CHILD_APPLICATORS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["properties", checkProperties],
  ["patternProperties", checkPatternProperties],
  ["additionalProperties", checkAdditionalProperties],
  ["propertyNames", checkPropertyNames],
  ["prefixItems", checkPrefixItems],
  ["items", checkItems],
  ["additionalItems", checkAdditionalItems],
  ["contains", checkContains],
]);

/** Keywords that depend on the results of all others, so they are checked last. */
export const UNEVALUATED: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["unevaluatedProperties", checkUnevaluatedProperties],
  ["unevaluatedItems", checkUnevaluatedItems],
]);

function checkProperties(visit: Visit, expected: unknown): boolean {
  const { value, evaluated, run } = visit;
  if (!isJsonObject(value) || !isJsonObject(expected)) return true;
  let fits = true;
  const names = Object.keys(expected);
  run.budget.spend(names.length / 8);
  for (const name of names) {
    if (!Object.hasOwn(value, name)) continue;
    evaluated.addName(name);
    const member = { key: name, value: value[name] };
    fits = fitsInside(visit, expected[name], ["properties", name], member) && fits;
  }
  return fits;
}

function checkPatternProperties(visit: Visit, expected: unknown): boolean {
  const { value, evaluated, run } = visit;
  if (!isJsonObject(value) || !isJsonObject(expected)) return true;
  let fits = true;
  for (const [pattern, schema] of Object.entries(expected)) {
    for (const name of Object.keys(value)) {
      if (!run.patterns.matches(pattern, name, run.budget)) continue;
      evaluated.addName(name);
      const member = { key: name, value: value[name] };
      fits = fitsInside(visit, schema, ["patternProperties", pattern], member) && fits;
    }
  }
  return fits;
}

function checkAdditionalProperties(visit: Visit, expected: unknown): boolean {
  const { value, schema, evaluated, run } = visit;
  if (!isJsonObject(value)) return true;
  const known = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const patterns = isJsonObject(schema["patternProperties"]) ? Object.keys(schema["patternProperties"]) : [];
  const notAllowed = () => notAKnownProperty(Object.keys(known));
  let fits = true;
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(known, name)) continue;
    if (patterns.some((pattern) => run.patterns.matches(pattern, name, run.budget))) continue;
    evaluated.addName(name);
    run.budget.spend(1);
    const member = { key: name, value: value[name], notAllowed };
    fits = fitsInside(visit, expected, ["additionalProperties"], member) && fits;
  }
  return fits;
}

function notAKnownProperty(known: readonly string[]): string {
  return known.length === 0 ? "is not a known property" : `is not a known property (known: ${shownList(known)})`;
}

function checkPropertyNames(visit: Visit, expected: unknown): boolean {
  const { value } = visit;
  if (!isJsonObject(value)) return true;
  const quiet = { ...visit, violations: undefined };
  let fits = true;
  for (const name of Object.keys(value)) {
    const member = { key: name, value: name };
    if (fitsInside(quiet, expected, ["propertyNames"], member)) continue;
    const message = () => `has a name that is not allowed, ${shortText(JSON.stringify(name))}`;
    fits = report(visit, ["propertyNames"], { message, at: { outer: visit.at, key: name } });
  }
  return fits;
}

function checkPrefixItems(visit: Visit, expected: unknown): boolean {
  const { value } = visit;
  if (!Array.isArray(value) || !Array.isArray(expected)) return true;
  return checkFirst(visit, value, expected, "prefixItems");
}

function checkFirst(visit: Visit, value: readonly unknown[], schemas: readonly unknown[], keyword: string): boolean {
  let fits = true;
  const count = Math.min(value.length, schemas.length);
  for (let index = 0; index < count; index += 1) {
    const member = { key: index, value: value[index] };
    fits = fitsInside(visit, schemas[index], [keyword, index], member) && fits;
  }
  visit.evaluated.addItemsBefore(count);
  return fits;
}

function checkItems(visit: Visit, expected: unknown): boolean {
  const { value, schema, resource } = visit;
  if (!Array.isArray(value)) return true;
  if (Array.isArray(expected)) return checkFirst(visit, value, expected, "items");
  const prefix = isFrom(resource.dialect.draft, "2020-12") ? schema["prefixItems"] : undefined;
  return checkFrom(visit, value, Array.isArray(prefix) ? prefix.length : 0, expected, "items");
}

function checkAdditionalItems(visit: Visit, expected: unknown): boolean {
  const { value, schema } = visit;
  const first = schema["items"];
  if (!Array.isArray(value) || !Array.isArray(first)) return true;
  return checkFrom(visit, value, first.length, expected, "additionalItems");
}

function checkFrom(visit: Visit, value: readonly unknown[], start: number, schema: unknown, keyword: string): boolean {
  let fits = true;
  const notAllowed = () => `is one too many: at most ${counted(start, "item")} ${start === 1 ? "is" : "are"} allowed`;
  for (let index = start; index < value.length; index += 1) {
    const member = { key: index, value: value[index], notAllowed };
    fits = fitsInside(visit, schema, [keyword], member) && fits;
    if (!fits && visit.violations === undefined) return false;
  }
  visit.evaluated.addItemsBefore(value.length);
  return fits;
}

function checkContains(visit: Visit, expected: unknown): boolean {
  const { value, schema, resource, evaluated } = visit;
  const { draft, hasAssertions } = resource.dialect;
  if (!Array.isArray(value)) return true;
  const quiet = { ...visit, violations: undefined };
  let found = 0;
  for (const [index, item] of value.entries()) {
    if (!fitsInside(quiet, expected, ["contains"], { key: index, value: item })) continue;
    found += 1;
    if (draft === "2020-12") evaluated.addIndex(index);
  }
  const hasCounts = isFrom(draft, "2019-09") && hasAssertions;
  const min = hasCounts && typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const max = hasCounts && typeof schema["maxContains"] === "number" ? schema["maxContains"] : undefined;
  const wanted = (count: number) => `${counted(count, "item")} that ${count === 1 ? "matches" : "match"} contains`;
  if (found < min) {
    const message = () => `must have at least ${wanted(min)}, not ${found}${misfit(visit, value, found)}`;
    return report(visit, ["contains"], { message });
  }
  if (max === undefined || found <= max) return true;
  const message = () => `must have at most ${wanted(max)}, not ${found}`;
  return report(visit, ["maxContains"], { message });
}

/** If no item matches, returns why the first item does not match, which shows what the schema requires. */
function misfit(visit: Visit, [first]: readonly unknown[], found: number): string {
  const violations = new ViolationList(1);
  if (found > 0 || first === undefined) return "";
  fitsInside({ ...visit, violations }, visit.schema["contains"], ["contains"], { key: 0, value: first });
  const [wrong] = violations.kept;
  return wrong === undefined ? "" : `: ${wrong.path.slice(pointerTo(visit.at).length)} ${wrong.message}`;
}

function checkUnevaluatedProperties(visit: Visit, expected: unknown): boolean {
  const { value, evaluated } = visit;
  if (!isJsonObject(value)) return true;
  const notAllowed = () => notAKnownProperty(evaluated.names);
  let fits = true;
  for (const name of Object.keys(value)) {
    if (evaluated.hasName(name)) continue;
    const member = { key: name, value: value[name], notAllowed };
    fits = fitsInside(visit, expected, ["unevaluatedProperties"], member) && fits;
  }
  evaluated.addAllNames();
  return fits;
}

function checkUnevaluatedItems(visit: Visit, expected: unknown): boolean {
  const { value, evaluated } = visit;
  if (!Array.isArray(value)) return true;
  let fits = true;
  for (const [index, item] of value.entries()) {
    if (evaluated.hasIndex(index)) continue;
    const notAllowed = () => "is an item that the schema does not allow";
    const member = { key: index, value: item, notAllowed };
    fits = fitsInside(visit, expected, ["unevaluatedItems"], member) && fits;
  }
  evaluated.addItemsBefore(value.length);
  return fits;
}
