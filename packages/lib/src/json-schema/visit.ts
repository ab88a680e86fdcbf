import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { appendPointer } from "../json/json-pointer.ts";
import { defined } from "../objects/defined.ts";
import type { Evaluated } from "./evaluated.ts";
import type { SchemaResource, SchemaResources } from "./reading/schema-resources.ts";
import type { SchemaPatterns } from "./schema-patterns.ts";
import type { StepBudget } from "./step-budget.ts";
import type { SchemaViolation, ViolationList } from "./violation.ts";

/** A location in the value, linked from the inside to the outside; `undefined` for the value itself. */
export type ValuePlace = { readonly outer: ValuePlace; readonly key: string | number } | undefined;

/** The resources that evaluation has entered, most recent first. */
export interface DynamicScope {
  readonly resource: SchemaResource;
  readonly outer: DynamicScope | undefined;
}

/** The schemas that are being applied to one value, most recent first. */
export interface Ongoing {
  readonly schema: JsonObject;
  readonly before: Ongoing | undefined;
}

/** A keyword, followed by the path inside it. */
export type KeywordPath = readonly [keyword: string, ...rest: (string | number)[]];

/** The value, the schema and the context of a check. */
export interface Check {
  readonly schema: JsonObject;
  readonly value: unknown;
  readonly at: ValuePlace;
  readonly scope: DynamicScope | undefined;
  /** Absent if the value differs from that of the enclosing check. */
  readonly ongoing: Ongoing | undefined;
  /** Absent if only validity matters. */
  readonly violations: ViolationList | undefined;
}

/** The state of one validation. */
export interface Run {
  readonly resources: SchemaResources;
  readonly patterns: SchemaPatterns;
  readonly budget: StepBudget;
  /** Whether messages may quote the validated value. */
  readonly quotesValues: boolean;
  /**
   * Checks a value against a schema.
   *
   * @returns what was evaluated; `undefined` if the value is invalid.
   */
  check(check: Check): Evaluated | undefined;
  /** Creates an empty record of what has been evaluated. */
  nothingEvaluated(): Evaluated;
}

/** The check of one value at one location against one schema. */
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

/** Checks a value against a keyword and returns whether it is valid. */
export type Keyword = (visit: Visit, expected: unknown) => boolean;

/** Details of a violation, in addition to the path of its keyword. */
export interface Report extends Pick<SchemaViolation, "missing"> {
  /** Builds the message; called only if the violation is listed. */
  readonly message: () => string;
  /** The location of the violation. Default: the value itself. */
  readonly at?: ValuePlace;
}

/** Number of steps that building a message costs; a comparison costs one. */
const STEPS_A_REPORT = 8;

/**
 * Reports a violation by the value or one of its members. Returns false, so that it can be used as the result of the
 * check.
 */
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

/** Checks the value against a nested schema, without recording what that schema evaluated. */
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

/** A member or item of a value. */
export interface Member {
  readonly key: string | number;
  readonly value: unknown;
  /** Builds the message for a schema that is `false`. */
  readonly notAllowed?: () => string;
}

/** Checks a member or item of the value. */
export function fitsInside(visit: Visit, schema: unknown, path: KeywordPath, member: Member): boolean {
  const { run, scope, violations } = visit;
  // If only validity matters, locations are not built.
  const at = violations === undefined ? undefined : { outer: visit.at, key: member.key };
  if (isJsonObject(schema)) {
    return run.check({ schema, value: member.value, at, scope, ongoing: undefined, violations }) !== undefined;
  }
  if (schema !== false) return true;
  return report(visit, path, { message: member.notAllowed ?? notAllowedHere, at });
}

/** Returns the JSON pointer to a location. */
export function pointerTo(place: ValuePlace): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.outer) keys.push(at.key);
  return keys.reverse().reduce<string>(appendPointer, "");
}
