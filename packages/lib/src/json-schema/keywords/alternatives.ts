import { isObject } from "../../json/json-object.ts";
import { cutText } from "../../text/cut-text.ts";
import type { SchemaViolation, ViolationList } from "../violation.ts";
import { typeName, withArticle } from "../violation-text.ts";

const MAX_NAMED = 4;
const MAX_PART_CHARACTERS = 160;

/** Keywords that reject the value itself, and not a part of it. */
const WHOLE: ReadonlySet<string> = new Set(["type", "const", "enum"]);

/**
 * Finds the alternative for which an object or array was probably meant: the only one whose type fits, or the only one
 * in which no `const` or `enum` of a direct member failed, because these keywords distinguish alternatives.
 *
 * @param here - JSON pointer to the value.
 * @returns the violations of that alternative; `undefined` if there is no such alternative, or several.
 */
export function closestAlternative(
  failed: readonly ViolationList[],
  here: string,
  value: unknown,
): ViolationList | undefined {
  if (failed.length === 1) return failed[0];
  if (!isObject(value)) return undefined;
  const ofType = failed.filter(({ kept }) => !kept.some(({ path, keyword }) => path === here && WHOLE.has(keyword)));
  if (ofType.length === 1) return ofType[0];
  const possible = ofType.filter(({ kept }) => !kept.some((violation) => tellsApart(violation, here)));
  return possible.length === 1 ? possible[0] : undefined;
}

function tellsApart({ keyword, path }: SchemaViolation, here: string): boolean {
  const isJustBelow = path.startsWith(`${here}/`) && !path.slice(here.length + 1).includes("/");
  return isJustBelow && (keyword === "const" || keyword === "enum");
}

/** Returns the message for a value that matches no alternative, with what the alternatives expect. */
export function choiceMessage(
  failed: readonly ViolationList[],
  here: string,
  value: unknown,
  keyword: "anyOf" | "oneOf",
): string {
  const types = failed.map(({ kept }) => typesExpected(kept, here));
  if (types.length > 0 && types.every((one) => one !== undefined)) {
    const all = [...new Set(types)].join(" or ");
    return `must be ${all}, not ${withArticle(typeName(value))}`;
  }
  const texts = failed.map(({ kept }) => alternativeText(kept, here));
  const unique = [...new Set(texts)];
  const rest = unique.length > MAX_NAMED ? ` | and ${unique.length - MAX_NAMED} more` : "";
  const amount = keyword === "anyOf" ? "at least one" : "exactly one";
  return `must match ${amount} of ${failed.length} alternatives, but matches none: ${unique.slice(0, MAX_NAMED).join(" | ")}${rest}`;
}

/**
 * Returns the types that an alternative expects, such as `a string`, if the type is the only thing that it rejects;
 * otherwise undefined.
 */
function typesExpected(kept: readonly SchemaViolation[], here: string): string | undefined {
  const [only] = kept;
  if (kept.length !== 1 || only?.keyword !== "type" || only.path !== here) return undefined;
  return /^must be (.*), not /.exec(only.message)?.[1];
}

/** Returns the first two violations of an alternative, because the first one may be the same in every alternative. */
function alternativeText(kept: readonly SchemaViolation[], here: string): string {
  const texts = kept.slice(0, 2).map(({ path, message }) => `${path.slice(here.length)} ${message}`.trim());
  const text = texts.join(" and ") || "not allowed";
  return cutText(text, MAX_PART_CHARACTERS);
}
