import { artifactIdOf } from "@yagate/lib/artifacts/artifact-id";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import { isArtifact } from "../result-tokens.ts";
import type { CallState, ExecutionState } from "../state.ts";
import { pageOf } from "./page-of.ts";

/** A page, a document or an artifact that an execution has found. */
export interface Evidence {
  /** The number by which a result lets the model cite it, as `[1]`. */
  readonly id?: number | undefined;
  /** Set together with `page`, which is the same for all URLs of the page. */
  readonly url?: string | undefined;
  readonly page?: string | undefined;
  readonly artifactId?: string;
  readonly title?: string | undefined;
  /** Texts of the source, verbatim. */
  readonly passages: readonly string[];
}

/** Maximum number of values in which one result is searched for sources. */
const MAX_VALUES = 5_000;
/** Maximum number of claims of one source. */
const MAX_CLAIMS = 100;
/** Maximum length of a title, in characters. */
const MAX_TITLE_CHARACTERS = 300;
const PASSAGE_FIELDS = ["passage", "quote", "snippet", "text", "content"] as const;

/** Returns what the calls of an execution and its model's provider have found, latest first. */
export function evidenceOf({ turns }: Pick<ExecutionState, "turns">): readonly Evidence[] {
  return turns
    .toReversed()
    .flatMap(({ calls, sources }) => [
      ...sources.map(toEvidence),
      ...calls.filter(({ status }) => status === "completed").flatMap(ofCall),
    ]);
}

/** Converts a source with a number, a URL or a title, without the URL if an answer can't cite it. */
export function toEvidence(source: Readonly<Record<string, unknown>>): Evidence {
  const { id } = source;
  const [url, title] = [textOf(source["url"]), textOf(source["title"])];
  const page = url === undefined ? undefined : pageOf(url);
  return {
    id: typeof id === "number" ? id : undefined,
    ...(page === undefined ? {} : { url, page }),
    title: title && cutText(title, MAX_TITLE_CHARACTERS),
    passages: passagesOf(source),
  };
}

function ofCall(call: CallState): readonly Evidence[] {
  const found = sourcesIn(call.result);
  if (!isArtifact(call)) return found;
  return [{ artifactId: artifactIdOf(call.id), title: call.name, passages: [] }, ...found];
}

/** Returns the objects of a result that have a URL or a number, with their passages. */
function sourcesIn(result: unknown): readonly Evidence[] {
  const found: Evidence[] = [];
  const values: unknown[] = [result];
  // Values are appended while the loop reads them.
  for (const value of values) {
    const members: readonly unknown[] = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    values.push(...members.slice(0, MAX_VALUES - values.length));
    if (isJsonObject(value) && isSource(value)) found.push(toEvidence(value));
  }
  return found;
}

function isSource({ id, url, title }: Readonly<Record<string, unknown>>): boolean {
  return typeof url === "string" || (typeof id === "number" && typeof title === "string");
}

function passagesOf(source: Readonly<Record<string, unknown>>): readonly string[] {
  const claims = Array.isArray(source["claims"]) ? source["claims"].slice(0, MAX_CLAIMS).filter(isJsonObject) : [];
  const texts = [...claims.map(({ text }) => text), ...PASSAGE_FIELDS.map((field) => source[field])];
  return texts.flatMap((text) => textOf(text) ?? []);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
