import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { appendPointer } from "../json/json-pointer.ts";
import { defined } from "../objects/defined.ts";
import type { Evaluated } from "./evaluated.ts";
import type { SchemaResource, SchemaResources } from "./reading/schema-resources.ts";
import type { SchemaPatterns } from "./schema-patterns.ts";
import type { StepBudget } from "./step-budget.ts";
import type { SchemaViolation, ViolationList } from "./violation.ts";

/** A place in the value, from the inside out; the value itself is `undefined`. */
export type ValuePlace = { readonly outer: ValuePlace; readonly key: string | number } | undefined;

/** The resources that were entered on the way, the last one first. */
export interface DynamicScope {
  readonly resource: SchemaResource;
  readonly outer: DynamicScope | undefined;
}

/** The schemas that one and the same value is being checked against, the last one first. */
export interface Ongoing {
  readonly schema: JsonObject;
  readonly before: Ongoing | undefined;
}

/** A keyword, and where under it something stands. */
export type KeywordPath = readonly [keyword: string, ...rest: (string | number)[]];

/** What is to be checked against what. */
export interface Check {
  readonly schema: JsonObject;
  readonly value: unknown;
  readonly at: ValuePlace;
  readonly scope: DynamicScope | undefined;
  /** Absent where the value is another one than around it. */
  readonly ongoing: Ongoing | undefined;
  /** Absent where only the verdict counts. */
  readonly violations: ViolationList | undefined;
}

/** One validation. */
export interface Run {
  readonly resources: SchemaResources;
  readonly patterns: SchemaPatterns;
  readonly budget: StepBudget;
  /** Whether messages may quote the value that is checked. */
  readonly quotesValues: boolean;
  /** @returns what was looked at, or `undefined` when the value does not fit. */
  check(check: Check): Evaluated | undefined;
  /** What was looked at so far: nothing. */
  nothingEvaluated(): Evaluated;
}

/** One value at one place against one schema. */
export interface Visit {
  readonly run: Run;
  readonly schema: JsonObject;
  readonly resource: SchemaResource;
  readonly value: unknown;
  readonly at: ValuePlace;
  readonly scope: DynamicScope;
  readonly ongoing: Ongoing;
  readonly evaluated: Evaluated;
  readonly violations: ViolationList | undefined;
}

/** A keyword's work. @returns whether the value fits it. */
export type Keyword = (visit: Visit, expected: unknown) => boolean;

/** What is wrong, besides the place. */
export interface Report extends Pick<SchemaViolation, "missing"> {
  /** Written only if somebody reads it. */
  readonly message: () => string;
  /** Where it is wrong, when it is not the value itself. */
  readonly at?: ValuePlace;
}

/** What it costs to word one, beside a comparison. */
const STEPS_A_REPORT = 8;

/** Says what is wrong, at the value or at a member of it. @returns false, the verdict. */
export function report(visit: Visit, path: KeywordPath, { message, at = visit.at, missing }: Report): false {
  const { run, schema, violations } = visit;
  if (violations === undefined) return false;
  run.budget.spend(STEPS_A_REPORT);
  violations.add(() => ({
    path: pointerTo(at),
    schemaPath: path.reduce<string>(appendPointer, run.resources.pathOf(schema)),
    keyword: path[0],
    message: message(),
    ...defined({ missing }),
  }));
  return false;
}

/** Checks the value against a schema inside the schema; what that looked at is not yet taken over. */
export function checkHere(visit: Visit, schema: unknown, path: KeywordPath): Evaluated | undefined {
  const { run, value, at, scope, ongoing, violations } = visit;
  if (isJsonObject(schema)) return run.check({ schema, value, at, scope, ongoing, violations });
  if (schema !== false) return run.nothingEvaluated();
  report(visit, path, { message: notAllowedHere });
  return undefined;
}

export function notAllowedHere(): string {
  return "is not allowed here";
}

/** A member or an item of a value. */
export interface Member {
  readonly key: string | number;
  readonly value: unknown;
  /** Said of it where the schema is `false`. */
  readonly notAllowed?: () => string;
}

/** Checks a member or an item of the value. */
export function fitsInside(visit: Visit, schema: unknown, path: KeywordPath, member: Member): boolean {
  const { run, scope, violations } = visit;
  // Where only the verdict counts, no place is named.
  const at = violations === undefined ? undefined : { outer: visit.at, key: member.key };
  if (isJsonObject(schema)) {
    return run.check({ schema, value: member.value, at, scope, ongoing: undefined, violations }) !== undefined;
  }
  if (schema !== false) return true;
  return report(visit, path, { message: member.notAllowed ?? notAllowedHere, at });
}

/** The JSON pointer of a place. */
export function pointerTo(place: ValuePlace): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.outer) keys.push(at.key);
  return keys.reverse().reduce<string>(appendPointer, "");
}
