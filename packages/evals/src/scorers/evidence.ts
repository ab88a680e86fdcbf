import { isJsonObject } from "@yagate/lib/json/json-object";
import type { CaseRun } from "../run/case-run.ts";

/** A passage that an answer can cite. */
export interface Passage {
  /** The number with which an answer cites the passage, as `[1]`; undefined if it has none. */
  readonly id: number | undefined;
  readonly text: string;
}

/** A page or document that an execution found or cited. */
export interface FoundSource {
  readonly names: readonly string[];
}

const PASSAGE_FIELDS = ["passage", "snippet", "quote", "text", "content"] as const;
const NAME_FIELDS = ["url", "title", "artifactId", "artifact", "id"] as const;

/**
 * Returns the passages that an answer can cite: those of the output's citations, otherwise those of the search results
 * that the execution read.
 */
export function passagesOf({ execution, calls }: CaseRun): readonly Passage[] {
  const cited = toPassages(execution.output?.["citations"]);
  return cited.length > 0 ? cited : calls.flatMap(({ result }) => toPassages(resultList(result)));
}

/** Returns the sources of an answer: its citations and sources, and the search results that it cites as `[1]`. */
export function sourcesOf({ execution, calls }: CaseRun): readonly FoundSource[] {
  const { output } = execution;
  const text = output?.text ?? "";
  const cited = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map((match) => Number(match[1])));
  const found = calls
    .flatMap(({ result }) => resultList(result))
    .filter((entry) => typeof entry["id"] === "number" && cited.has(entry["id"]));
  return [...toObjects(output?.["citations"]), ...toObjects(output?.sources), ...found].map((entry) => ({
    names: NAME_FIELDS.flatMap((field) => {
      const name = entry[field];
      return typeof name === "string" && name !== "" ? [name] : [];
    }),
  }));
}

function resultList(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isJsonObject(result) ? toObjects(result["results"]) : [];
}

function toPassages(entries: unknown): readonly Passage[] {
  return toObjects(entries).flatMap((entry) => {
    const texts = PASSAGE_FIELDS.flatMap((field) => {
      const text = entry[field];
      return typeof text === "string" ? [text] : [];
    });
    const claims = toObjects(entry["claims"]).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
    const text = [...texts, ...claims].join("\n");
    const id = entry["id"];
    return text === "" ? [] : [{ id: typeof id === "number" ? id : undefined, text }];
  });
}

function toObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
