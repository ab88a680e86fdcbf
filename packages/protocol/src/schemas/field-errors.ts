import type { z } from "zod";
import type { FieldError } from "./problem.ts";

type Issue = z.core.$ZodIssue;

/**
 * Turns the issues of a failed parse into the API's `errors`: one entry a wrong field, all of them.
 *
 * Of a union, the alternative that the input comes closest to is reported; naming the fields of every alternative
 * would send the reader after things that they never meant.
 */
export function toFieldErrors(error: { issues: readonly Issue[] }, prefix: readonly PropertyKey[] = []): FieldError[] {
  return error.issues.flatMap((issue) => describe(issue, prefix));
}

function describe(issue: Issue, prefix: readonly PropertyKey[]): FieldError[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: formatPath([...path, key]), code: issue.code, message: "unknown field" }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const [closest] = [...issue.errors].sort((left, right) => distance(left) - distance(right));
    if (closest !== undefined && closest.length > 0) return toFieldErrors({ issues: closest }, path);
  }
  return [{ path: formatPath(path), code: issue.code, message: lowerFirst(issue.message) }];
}

function distance(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
