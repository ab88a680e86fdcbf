import { appendPointer } from "../../../arguments/json-pointer.ts";
import { shortText } from "../../../arguments/violation-text.ts";
import { FORMATS } from "../formats/formats.ts";
import type { JsonWarning } from "../json-validation.ts";
import { isFrom } from "./drafts.ts";
import { knownKeywords } from "./known-keywords.ts";
import type { SchemaResources } from "./schema-resources.ts";

const MAX_WARNINGS = 20;

/** What a schema says without effect: keywords that its draft does not have, beside a `$ref`, formats nobody checks. */
export function schemaWarnings(resources: SchemaResources): readonly JsonWarning[] {
  const warnings: JsonWarning[] = [];
  let count = 0;
  const warn = (code: string, path: string, message: string) => {
    count += 1;
    if (count <= MAX_WARNINGS) warnings.push({ code, path, message });
  };
  for (const [schema, { resource, document, pointer }] of resources.schemas()) {
    const { draft } = resource.dialect;
    const isReference = !isFrom(draft, "2019-09") && typeof schema["$ref"] === "string";
    const { format } = schema;
    for (const keyword of Object.keys(schema)) {
      const path = appendPointer(`${document}#${pointer}`, keyword);
      if (isReference && keyword !== "$ref") {
        if (keyword !== "definitions")
          warn("beside_ref", path, `has no effect: in draft ${draft} nothing counts beside $ref`);
      } else if (!knownKeywords(draft).has(keyword)) {
        warn("unknown_keyword", path, `is no keyword of draft ${draft} and has no effect${closest(keyword, draft)}`);
      }
    }
    if (typeof format === "string" && !FORMATS.has(format) && !isReference) {
      warn(
        "unknown_format",
        `${document}#${pointer}/format`,
        `names a format that is never checked, ${shortText(format)}`,
      );
    }
  }
  if (count > MAX_WARNINGS) warnings.push({ code: "more_warnings", message: `and ${count - MAX_WARNINGS} more` });
  return warnings;
}

/** The keyword that was most likely meant: the same letters, or one letter more, less or other. */
function closest(keyword: string, draft: Parameters<typeof knownKeywords>[0]): string {
  if (keyword.length > 40) return "";
  const meant = [...knownKeywords(draft)].find((known) => isOneEditAway(keyword.toLowerCase(), known.toLowerCase()));
  return meant === undefined ? "" : `: ${meant} was meant?`;
}

function isOneEditAway(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const [left, right] = [one.length - start - end, other.length - start - end];
  const isSwapped = left === 2 && right === 2 && one[start] === other[start + 1] && one[start + 1] === other[start];
  return (left <= 1 && right <= 1) || isSwapped;
}
