import { appendPointer } from "@yagate/lib/json/json-pointer";
import { typeName, violationText, withArticle } from "@yagate/lib/json-schema/violation-text";
import type { ErrorObject } from "ajv";

/** One thing that is wrong with a value. */
export interface Violation {
  /** JSON pointer of the place: for a missing or unknown field, of that field. At most 300 characters. */
  readonly path: string;
  /** The JSON Schema keyword that is not satisfied, or the limit that is passed. */
  readonly code: string;
  /** What was expected there, in lower case; holds no value of the data. */
  readonly message: string;
}

const MAX_PATH_CHARACTERS = 300;
const MAX_ALTERNATIVES = 4;

/** Parameters of the violations that are about a member of the object at `instancePath`. */
const MEMBER_PARAMETERS = ["missingProperty", "additionalProperty", "unevaluatedProperty", "propertyName"] as const;

interface Draft extends Violation {
  readonly schemaPath: string;
  /** The allowed types, when that is all that was wrong. */
  readonly types?: readonly string[];
}

/**
 * Turns Ajv's errors into one violation for each place and expectation. What Ajv reports of every alternative of an
 * `anyOf` or `oneOf` becomes one sentence; each result of an `if` is reported by the branch that failed.
 */
export function toViolations(errors: readonly ErrorObject[]): readonly Violation[] {
  const drafts: Draft[] = [];
  for (const error of errors) {
    if (error.keyword === "if") continue;
    drafts.push(isUnmatchedChoice(error) ? mergeAlternatives(error, takeAlternatives(drafts, error)) : toDraft(error));
  }
  const byText = new Map(drafts.map(({ path, code, message }) => [`${path} ${message}`, { path, code, message }]));
  return [...byText.values()];
}

function toDraft(error: ErrorObject): Draft {
  const draft = {
    path: shortPath(pathOf(error)),
    code: error.keyword,
    message: violationText(error),
    schemaPath: error.schemaPath,
  };
  return error.keyword === "type" ? { ...draft, types: [error.params["type"]].flat().map(String) } : draft;
}

function pathOf({ instancePath, params }: ErrorObject): string {
  const member = MEMBER_PARAMETERS.find((name) => typeof params[name] === "string");
  return member === undefined ? instancePath : appendPointer(instancePath, String(params[member]));
}

/** A path that names from the data can't make longer than 300 characters. */
export function shortPath(path: string): string {
  return path.length > MAX_PATH_CHARACTERS ? `${path.slice(0, MAX_PATH_CHARACTERS - 1)}…` : path;
}

function isUnmatchedChoice({ keyword, params }: ErrorObject): boolean {
  return keyword === "anyOf" || (keyword === "oneOf" && !Array.isArray(params["passingSchemas"]));
}

/** Removes from the end of the list what the alternatives of this choice reported: Ajv lists it right before. */
function takeAlternatives(drafts: Draft[], choice: ErrorObject): readonly Draft[] {
  let start = drafts.length;
  for (let draft = drafts[start - 1]; draft !== undefined && belongsTo(draft, choice); draft = drafts[start - 1]) {
    start -= 1;
  }
  return drafts.splice(start);
}

function belongsTo(draft: Draft, choice: ErrorObject): boolean {
  const place = shortPath(choice.instancePath);
  if (draft.path !== place && !draft.path.startsWith(`${place}/`)) return false;
  if (draft.schemaPath.startsWith(`${choice.schemaPath}/`)) return true;
  // An alternative that is a reference reports the path of the schema that it names.
  const siblings = choice.schemaPath.slice(0, choice.schemaPath.lastIndexOf("/") + 1);
  return siblings === "#/"
    ? /^#\/(?:\$defs|definitions)\//.test(draft.schemaPath)
    : !draft.schemaPath.startsWith(siblings);
}

function mergeAlternatives(choice: ErrorObject, alternatives: readonly Draft[]): Draft {
  const draft = toDraft(choice);
  const types = alternatives.flatMap((alternative) =>
    alternative.path === draft.path ? (alternative.types ?? []) : [],
  );
  if (alternatives.length > 0 && alternatives.every((one) => one.types !== undefined && one.path === draft.path)) {
    const unique = [...new Set(types)];
    return {
      ...draft,
      types: unique,
      message: `must be ${withArticle(unique.join(" or "))}, not ${withArticle(typeName(choice.data))}`,
    };
  }
  const texts = [
    ...new Set(alternatives.map(({ path, message }) => `${path.slice(draft.path.length)} ${message}`.trim())),
  ];
  if (texts.length === 0) return draft;
  const rest = texts.length > MAX_ALTERNATIVES ? ` or ${texts.length - MAX_ALTERNATIVES} more` : "";
  return { ...draft, message: `${draft.message}: ${texts.slice(0, MAX_ALTERNATIVES).join(" | ")}${rest}` };
}
