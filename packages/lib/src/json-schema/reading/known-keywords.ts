import { isJsonObject } from "../../json/json-object.ts";
import type { Draft } from "./drafts.ts";
import { META_SCHEMAS } from "./meta-schemas.ts";

const KNOWN = new Map<Draft, ReadonlySet<string>>();

/** The keywords that a draft defines: what its meta-schema has properties for. */
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
  // Announced by the specification, and missing in the meta-schema of the draft.
  if (draft === "04") names.add("format");
  return names;
}
