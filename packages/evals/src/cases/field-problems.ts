import { isObject } from "@yagate/lib/json/json-object";
import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import { toFieldErrors } from "@yagate/protocol";
import type * as z from "zod";
import { ASSERTION_TYPES } from "./assertion-schema.ts";
import { KNOWN_FIELDS } from "./case-schema.ts";
import type { YamlSource } from "./yaml-source.ts";

type Issue = z.core.$ZodIssue;

/** Something in a file that must be corrected. */
export interface FieldProblem {
  readonly line: number;
  /** The location, such as `assert[0].type`. */
  readonly path: string;
  readonly message: string;
}

/** A part of a file that was checked against a schema. */
export interface CheckedPart {
  readonly source: YamlSource;
  /** The path of the part in the document. */
  readonly base: readonly PropertyKey[];
  /** The names that the part may contain. */
  readonly known: readonly string[];
}

/** Describes what a schema found in a part of a file. Unknown names come with the known name that is most similar. */
export function fieldProblems(error: z.ZodError, part: CheckedPart): readonly FieldProblem[] {
  return error.issues.flatMap((issue) => describe(issue, part));
}

function describe(issue: Issue, { source, base, known: own }: CheckedPart): readonly FieldProblem[] {
  const path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const known = knownAt(issue.path, own);
    return issue.keys.map((key) => ({
      line: source.lineOfKey(path, key),
      path: textOf([...issue.path, key]),
      message: `unknown field${meantInstead(key, known) || `; the fields are ${known.join(", ")}`}`,
    }));
  }
  const line = source.lineOf(path);
  return toFieldErrors({ issues: [issue] }).map((field) => ({
    line,
    path: field.path,
    message: `${field.message}${typeHint(issue, source, path)}`,
  }));
}

/** Suggests the type of an assertion that was probably meant. */
function typeHint({ path, code }: Issue, source: YamlSource, whole: readonly PropertyKey[]): string {
  if (code !== "custom" || path.at(-1) !== "type") return "";
  const given = whole.reduce<unknown>((value, key) => memberOf(value, key), source.value);
  return typeof given === "string" ? meantInstead(given.replace(/^not-/, ""), ASSERTION_TYPES) : "";
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined;
}

function knownAt(path: readonly PropertyKey[], own: readonly string[]): readonly string[] {
  const names = path.filter((key) => typeof key === "string");
  const innermost = names.at(-1);
  if (innermost === "assert") return KNOWN_FIELDS.assertion;
  if (innermost === "expected_calls") return KNOWN_FIELDS.call;
  if (innermost === "budget") return KNOWN_FIELDS.budget;
  if (innermost === "limits") return KNOWN_FIELDS.limits;
  if (innermost === "input") return KNOWN_FIELDS.message;
  if (innermost === undefined || innermost === "defaults") return own;
  return [];
}

function textOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}
