/** The supported drafts of JSON Schema, oldest first. */
export const DRAFTS = ["04", "06", "07", "2019-09", "2020-12"] as const;

export type Draft = (typeof DRAFTS)[number];

export const DEFAULT_DRAFT: Draft = "2020-12";

/** The `$schema` of each draft. The URIs of older drafts end with an empty fragment, which is omitted here. */
export const DRAFT_URIS: Readonly<Record<Draft, string>> = {
  "04": "http://json-schema.org/draft-04/schema",
  "06": "http://json-schema.org/draft-06/schema",
  "07": "http://json-schema.org/draft-07/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** Returns the draft with a given `$schema`. `http` and `https` are equivalent; an empty fragment is ignored. */
export function draftOf(uri: string): Draft | undefined {
  const plain = uri.replace(/#$/, "").replace(/^https?:/, "");
  return DRAFTS.find((draft) => DRAFT_URIS[draft].replace(/^https?:/, "") === plain);
}

const ORDER: Readonly<Record<Draft, number>> = { "04": 0, "06": 1, "07": 2, "2019-09": 3, "2020-12": 4 };

/** Checks whether a draft is at least as new as another one. */
export function isFrom(draft: Draft, first: Draft): boolean {
  return ORDER[draft] >= ORDER[first];
}
