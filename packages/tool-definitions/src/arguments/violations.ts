import { appendPointer } from "@yagate/lib/json/json-pointer";
import { keywordCode } from "@yagate/lib/json-schema/keyword-code";
import type { SchemaViolation, ViolationList } from "@yagate/lib/json-schema/violation";
import { shortText } from "@yagate/lib/json-schema/violation-text";
import { cutText } from "@yagate/lib/text/cut-text";

/** One thing that is wrong with a value. */
export interface Violation {
  /** JSON pointer of the place: for a missing or unknown property, of that property. At most 300 characters. */
  readonly path: string;
  /** The JSON Schema keyword that is not satisfied, such as `ADDITIONAL_PROPERTIES`, or the limit that is passed. */
  readonly code: string;
  /** What was expected there, in lower case; holds no value of the data. */
  readonly message: string;
}

const MAX_PATH_CHARACTERS = 300;

/** The violations of a schema, each once. */
export function toViolations({ kept }: Pick<ViolationList, "kept">): readonly Violation[] {
  const byText = new Map(
    kept.map(toViolation).map((violation) => [`${violation.path} ${violation.message}`, violation]),
  );
  return [...byText.values()];
}

function toViolation({ path, keyword, message, missing }: SchemaViolation): Violation {
  if (missing === undefined) return { path: shortPath(path), code: keywordCode(keyword), message };
  const { name, because } = missing;
  return {
    path: shortPath(appendPointer(path, name)),
    code: keywordCode(keyword),
    message: because === undefined ? "is required" : `is required when ${shortText(because)} is given`,
  };
}

/** A path that names from the data can't make longer than 300 characters. */
export function shortPath(path: string): string {
  return cutText(path, MAX_PATH_CHARACTERS);
}
