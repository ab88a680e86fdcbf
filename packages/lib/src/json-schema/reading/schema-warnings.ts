import type { JsonObject } from "../../json/json-object.ts";
import { appendPointer } from "../../json/json-pointer.ts";
import { meantInstead } from "../closest-word.ts";
import { FORMATS } from "../formats/formats.ts";
import type { SchemaWarning } from "../violation.ts";
import { shortText } from "../violation-text.ts";
import { isFrom } from "./drafts.ts";
import { knownKeywords } from "./known-keywords.ts";
import type { SchemaPlace, SchemaResources } from "./schema-resources.ts";

const MAX_WARNINGS = 20;

/**
 * Finds the parts of a schema that have no effect: keywords that its draft does not define, ignored keywords next to
 * `$ref`, and unknown formats.
 */
export function schemaWarnings(resources: SchemaResources): readonly SchemaWarning[] {
  const warnings: SchemaWarning[] = [];
  let count = 0;
  const warn = (code: string, path: string, message: string) => {
    count += 1;
    if (count <= MAX_WARNINGS) warnings.push({ code, path, message });
  };
  for (const [schema, place] of resources.schemas()) {
    const { resource, document, pointer } = place;
    const { draft } = resource.dialect;
    const isReference = isReferenceAlone(schema, place);
    for (const keyword of Object.keys(schema)) {
      const path = appendPointer(`${document}#${pointer}`, keyword);
      if (isReference && keyword !== "$ref") {
        // The root of a document determines the draft, so a nested `$schema` has no effect.
        const isDraft = keyword === "$schema" && pointer === "";
        if (keyword !== "definitions" && !isDraft) {
          warn("BESIDE_REF", path, `has no effect: in draft ${draft}, keywords next to $ref are ignored`);
        }
      } else if (!knownKeywords(draft).has(keyword)) {
        warn(
          "UNKNOWN_KEYWORD",
          path,
          `is not a keyword of draft ${draft} and has no effect${meantInstead(keyword, knownKeywords(draft))}`,
        );
      }
    }
    const unknown = unknownFormat(schema, place);
    if (unknown !== undefined) warn(unknown.code, unknown.path, unknown.message);
  }
  return limited(warnings, count);
}

/** Finds the formats in a schema that are never checked, whatever the options. */
export function unknownFormatWarnings(resources: SchemaResources): readonly SchemaWarning[] {
  const warnings = [...resources.schemas()].flatMap(([schema, place]) => unknownFormat(schema, place) ?? []);
  return limited(warnings.slice(0, MAX_WARNINGS), warnings.length);
}

function unknownFormat(schema: JsonObject, place: SchemaPlace) {
  const { format } = schema;
  if (typeof format !== "string" || FORMATS.has(format) || isReferenceAlone(schema, place)) return undefined;
  return {
    code: "UNKNOWN_FORMAT",
    path: `${place.document}#${place.pointer}/format`,
    message: `names the format ${shortText(format)}, which is never checked${meantInstead(format, FORMATS.keys())}`,
  };
}

/** Checks whether other keywords are ignored because they are next to a reference, as in drafts before 2019-09. */
function isReferenceAlone(schema: JsonObject, { resource }: SchemaPlace): boolean {
  return !isFrom(resource.dialect.draft, "2019-09") && typeof schema["$ref"] === "string";
}

function limited(warnings: readonly SchemaWarning[], count: number): readonly SchemaWarning[] {
  if (count <= MAX_WARNINGS) return warnings;
  return [...warnings, { code: "MORE_WARNINGS", message: `and ${count - MAX_WARNINGS} more` }];
}
