import type { JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import type { Evaluated } from "./evaluated.ts";
import type { SchemaPatterns } from "./schema-patterns.ts";
import type { SchemaResource, SchemaResources } from "./schema-resources.ts";
import type { StepBudget } from "./step-budget.ts";
import type { ViolationList } from "./violation.ts";

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
  readonly schema: unknown;
  readonly value: unknown;
  readonly at: ValuePlace;
  readonly scope: DynamicScope | undefined;
  /** Absent where the value is another one than around it. */
  readonly ongoing?: Ongoing;
  /** Absent where only the verdict counts. */
  readonly violations: ViolationList | undefined;
  /** Says that a value is not allowed, where the schema is `false`. */
  readonly onFalse: () => void;
}

/** One validation. */
export interface Run {
  readonly resources: SchemaResources;
  readonly patterns: SchemaPatterns;
  readonly budget: StepBudget;
  readonly assertFormats: boolean;
  /** @returns what was looked at, or `undefined` when the value does not fit. */
  check(check: Check): Evaluated | undefined;
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

/** What it costs to word one, beside a comparison. */
const STEPS_A_REPORT = 8;

/** Says what is wrong, at the value or at a member of it. @returns false, the verdict. */
export function report(visit: Visit, path: KeywordPath, message: string, at: ValuePlace = visit.at): false {
  const { run, schema, violations } = visit;
  if (violations !== undefined) run.budget.spend(STEPS_A_REPORT);
  violations?.add(() => ({
    path: pointerTo(at),
    schemaPath: path.reduce<string>(appendPointer, run.resources.pathOf(schema)),
    keyword: path[0],
    message,
  }));
  return false;
}

/** Checks the value against a schema inside the schema; what that looked at is not yet taken over. */
export function checkHere(visit: Visit, schema: unknown, path: KeywordPath): Evaluated | undefined {
  const { run, value, at, scope, ongoing, violations } = visit;
  const onFalse = () => void report(visit, path, "is not allowed here");
  return run.check({ schema, value, at, scope, ongoing, violations, onFalse });
}

/** Checks a member or an item of the value. */
export function fitsInside(
  visit: Visit,
  schema: unknown,
  path: KeywordPath,
  member: { readonly key: string | number; readonly value: unknown; readonly notAllowed?: string },
): boolean {
  const { run, scope, violations } = visit;
  const at = { outer: visit.at, key: member.key };
  const onFalse = () => void report(visit, path, member.notAllowed ?? "is not allowed here", at);
  return run.check({ schema, value: member.value, at, scope, violations, onFalse }) !== undefined;
}

/** The JSON pointer of a place. */
export function pointerTo(place: ValuePlace): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.outer) keys.push(at.key);
  return keys.reverse().reduce<string>(appendPointer, "");
}
