import { isJsonObject } from "../../json/json-object.ts";
import { SchemaProblem } from "../schema-problem.ts";
import { type Draft, isFrom } from "./drafts.ts";

/** The keywords that apply in a schema, and how they are checked. */
export interface Dialect {
  readonly draft: Draft;
  readonly hasApplicators: boolean;
  readonly hasAssertions: boolean;
  readonly hasUnevaluated: boolean;
  readonly assertsFormats: boolean;
}

/** Returns the dialect of a draft's standard meta-schema. */
export function standardDialect(draft: Draft): Dialect {
  return { draft, hasApplicators: true, hasAssertions: true, hasUnevaluated: true, assertsFormats: false };
}

const KNOWN = new Set([
  "core",
  "applicator",
  "unevaluated",
  "validation",
  "meta-data",
  "format",
  "format-annotation",
  "format-assertion",
  "content",
]);
const VOCABULARY = /^https:\/\/json-schema\.org\/draft\/(?:2019-09|2020-12)\/vocab\/([a-z-]+)$/;

/**
 * Returns the dialect that a custom meta-schema defines.
 *
 * @throws SchemaProblem if the meta-schema requires an unknown vocabulary.
 */
export function customDialect(metaSchema: unknown, draft: Draft): Dialect {
  const vocabulary = isJsonObject(metaSchema) ? metaSchema["$vocabulary"] : undefined;
  if (!isJsonObject(vocabulary) || !isFrom(draft, "2019-09")) return standardDialect(draft);
  const names = new Map<string, boolean>();
  for (const [uri, isRequired] of Object.entries(vocabulary)) {
    const name = VOCABULARY.exec(uri)?.[1] ?? "";
    if (KNOWN.has(name)) names.set(name, isRequired === true);
    else if (isRequired === true) {
      throw new SchemaProblem("UNKNOWN_VOCABULARY", "/$vocabulary", `requires the vocabulary ${uri}, which is unknown`);
    }
  }
  return {
    draft,
    hasApplicators: names.has("applicator"),
    hasAssertions: names.has("validation"),
    hasUnevaluated: names.has(draft === "2019-09" ? "applicator" : "unevaluated"),
    assertsFormats: names.has("format-assertion") || names.get("format") === true,
  };
}
