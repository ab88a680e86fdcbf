import { appendPointer } from "@yagate/lib/json/json-pointer";
import { keywordCode } from "@yagate/lib/json-schema/keyword-code";
import type { SchemaViolation, ViolationList } from "@yagate/lib/json-schema/violation";
import { shortText } from "@yagate/lib/json-schema/violation-text";
import { cutText } from "@yagate/lib/text/cut-text";

/** A violation of a schema by a value. */
export interface Violation {
  /** JSON pointer to the invalid value, or to the missing or unknown property. At most 300 characters. */
  readonly path: string;
  /** The violated JSON Schema keyword, such as `ADDITIONAL_PROPERTIES`, or the exceeded limit. */
  readonly code: string;
  /** What was expected there, in lower case, without values from the data. */
  readonly message: string;
}

const MAX_PATH_CHARACTERS = 300;

/** Converts the violations of a schema, without duplicates. */
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

/** Truncates a path to 300 characters, because it may contain long names from the data. */
export function shortPath(path: string): string {
  return cutText(path, MAX_PATH_CHARACTERS);
}
