import type * as z from "zod";
import type { FieldError } from "./problem.ts";

type Issue = z.core.$ZodIssue;

/**
 * Converts the issues of a failed parse to the API's `errors`: one entry per invalid field.
 *
 * For a union, it reports only the issues of the alternative that is closest to the input, because those of all
 * alternatives would mislead the reader.
 */
export function toFieldErrors(error: { issues: readonly Issue[] }, prefix: readonly PropertyKey[] = []): FieldError[] {
  return error.issues.flatMap((issue) => describe(issue, prefix));
}

function describe(issue: Issue, prefix: readonly PropertyKey[]): FieldError[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: formatPath([...path, key]),
      code: codeOf(issue),
      message: "unknown field",
    }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const mismatch = typeMismatch(issue.errors);
    if (mismatch !== undefined) return [{ path: formatPath(path), code: "INVALID_TYPE", message: mismatch }];
    const [closest] = [...issue.errors].sort((left, right) => distance(left) - distance(right));
    if (closest !== undefined && closest.length > 0) return toFieldErrors({ issues: closest }, path);
  }
  if (issue.code === "invalid_key" && issue.issues.length > 0) {
    return issue.issues.map((ofKey) => ({ path: formatPath(path), code: codeOf(issue), message: toSentence(ofKey) }));
  }
  return [{ path: formatPath(path), code: codeOf(issue), message: toSentence(issue) }];
}

/** Converts one of Zod's lower-case codes to upper case, which all codes of Yagate use. */
function codeOf({ code }: Issue): string {
  return code.toUpperCase();
}

// A top-level field that an alternative does not define is stronger evidence against the alternative than many missing
// fields. A nested field is weaker evidence: it counts as a few mistakes.
const UNKNOWN_FIELD_WEIGHT = 50;
const UNKNOWN_INNER_FIELD_WEIGHT = 3;
const OTHER_TYPE_WEIGHT = 1_000;

function distance(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    if (issue.code === "unrecognized_keys") {
      const weight = issue.path.length === 0 ? UNKNOWN_FIELD_WEIGHT : UNKNOWN_INNER_FIELD_WEIGHT;
      return sum + weight * issue.keys.length;
    }
    return sum + (isOtherType(issue) ? OTHER_TYPE_WEIGHT : 1);
  }, 0);
}

/** Checks whether the value itself, not one of its fields, is of a different type than this alternative. */
function isOtherType(issue: Issue): issue is Issue & { readonly code: "invalid_type" } {
  return issue.code === "invalid_type" && issue.path.length === 0;
}

/**
 * Returns the message for a value whose type matches no alternative; undefined if at least one alternative has its
 * type.
 */
function typeMismatch(alternatives: readonly (readonly Issue[])[]): string | undefined {
  const mismatches = alternatives.map((issues) => issues.find(isOtherType));
  const known = mismatches.filter((issue) => issue !== undefined);
  const [first] = known;
  if (first === undefined || known.length < mismatches.length) return undefined;
  const expected = [...new Set(known.map((issue) => issue.expected))].join(" or ");
  return toSentence(first).replace(/^expected \w+/, `expected ${expected}`);
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

const BOUNDS: Readonly<Record<string, string>> = {
  ">=": "at least ",
  ">": "more than ",
  "<=": "at most ",
  "<": "less than ",
};

/** Rewrites one of Zod's messages for readers who know neither Zod nor JavaScript. */
function toSentence({ code, message }: Issue): string {
  const sentence = message
    .replace(/^(Invalid|Too) \w+: (?=expected )/, "")
    .replace(/^expected int\b/, "expected whole number")
    .replace(/, received NaN$/, "")
    .replace(/, received undefined$/, ", but it is missing");
  const isBound = code === "too_small" || code === "too_big";
  return lowerFirst(isBound ? sentence.replace(/[<>]=?(?=-?\d)/, (sign) => BOUNDS[sign] ?? sign) : sentence);
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
