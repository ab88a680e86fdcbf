import { isJsonObject } from "../../json/json-object.ts";
import type { Draft } from "./drafts.ts";
import { META_SCHEMAS } from "./meta-schemas.ts";

const KNOWN = new Map<Draft, ReadonlySet<string>>();

/** Returns the keywords that a draft defines: the properties of its meta-schema. */
export function knownKeywords(draft: Draft): ReadonlySet<string> {
  const known = KNOWN.get(draft) ?? collect(draft);
  KNOWN.set(draft, known);
  return known;
}

function collect(draft: Draft): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [uri, metaSchema] of META_SCHEMAS) {
    if (!uri.includes(`draft-${draft}/`) && !uri.includes(`draft/${draft}/`)) continue;
    const { properties } = metaSchema;
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  // The specification defines these keywords, but the draft's meta-schema does not.
  if (draft === "04") names.add("format");
  return names;
}
