import { appendPointer } from "../../../arguments/json-pointer.ts";
import { shortText } from "../../../arguments/violation-text.ts";
import { FORMATS } from "../formats/formats.ts";
import type { JsonWarning } from "../json-validation.ts";
import { meantInstead } from "./closest-word.ts";
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
        // At the root of a document the draft is taken from it.
        const isDraft = keyword === "$schema" && pointer === "";
        if (keyword !== "definitions" && !isDraft) {
          warn("beside_ref", path, `has no effect: in draft ${draft} nothing counts beside $ref`);
        }
      } else if (!knownKeywords(draft).has(keyword)) {
        warn(
          "unknown_keyword",
          path,
          `is no keyword of draft ${draft} and has no effect${meantInstead(keyword, knownKeywords(draft))}`,
        );
      }
    }
    if (typeof format === "string" && !FORMATS.has(format) && !isReference) {
      warn(
        "unknown_format",
        `${document}#${pointer}/format`,
        `names a format that is never checked, ${shortText(format)}${meantInstead(format, FORMATS.keys())}`,
      );
    }
  }
  if (count > MAX_WARNINGS) warnings.push({ code: "more_warnings", message: `and ${count - MAX_WARNINGS} more` });
  return warnings;
}
