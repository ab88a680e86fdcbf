import { artifactIdOf } from "@yagate/lib/artifacts/artifact-id";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { isArtifact } from "../result-tokens.ts";
import type { CallState, ExecutionState } from "../state.ts";

/** A page, a document or an artifact that an execution has found. */
export interface Evidence {
  /** The number by which a result lets the model cite it, as `[1]`. */
  readonly id?: number | undefined;
  readonly url?: string | undefined;
  readonly artifactId?: string;
  readonly title?: string | undefined;
  /** Texts of the source, verbatim. */
  readonly passages: readonly string[];
  /** Set if the model's provider reported it as a source of a reply. */
  readonly isGrounding?: true;
}

/** Maximum number of values in which one result is searched for sources. */
const MAX_VALUES = 5_000;
const PASSAGE_FIELDS = ["passage", "quote", "snippet", "text", "content"] as const;

/** Returns what the calls of an execution and its model's provider have found, latest first. */
export function evidenceOf({ turns }: Pick<ExecutionState, "turns">): readonly Evidence[] {
  return turns
    .toReversed()
    .flatMap(({ calls, sources }) => [
      ...sources.map(({ url, title }): Evidence => ({ url, title, passages: [], isGrounding: true })),
      ...calls.filter(({ status }) => status === "completed").flatMap(ofCall),
    ]);
}

function ofCall(call: CallState): readonly Evidence[] {
  const found = sourcesIn(call.result);
  if (!isArtifact(call)) return found;
  return [{ artifactId: artifactIdOf(call.id), title: call.name, passages: [] }, ...found];
}

/** Returns the objects of a result that have a URL or a number, with their passages. */
function sourcesIn(result: unknown): readonly Evidence[] {
  const found: Evidence[] = [];
  const pending: unknown[] = [result];
  for (let seen = 0; seen < MAX_VALUES && pending.length > 0; seen += 1) {
    const value = pending.shift();
    if (Array.isArray(value)) pending.push(...value.slice(0, MAX_VALUES));
    if (!isJsonObject(value)) continue;
    const { id, url, title } = value;
    const isNumbered = typeof id === "number" && typeof title === "string";
    if (typeof url === "string" || isNumbered) {
      found.push({
        ...{ id: typeof id === "number" ? id : undefined, url: textOf(url), title: textOf(title) },
        passages: passagesOf(value),
      });
    }
    pending.push(...Object.values(value));
  }
  return found;
}

function passagesOf(source: Readonly<Record<string, unknown>>): readonly string[] {
  const claims = Array.isArray(source["claims"]) ? source["claims"].filter(isJsonObject) : [];
  const texts = [...claims.map(({ text }) => text), ...PASSAGE_FIELDS.map((field) => source[field])];
  return texts.flatMap((text) => textOf(text) ?? []);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
