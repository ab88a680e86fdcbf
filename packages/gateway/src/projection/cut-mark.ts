import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { isObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";

/** Describes what is missing from text that the model reads. */
export interface Cut {
  /** Number of characters that are stored but not shown. */
  readonly left: number;
  /** Number of characters that are stored. */
  readonly total: number;
  /**
   * Whether the model can read more. An object means true, and contains example arguments for the tool that reads more.
   */
  readonly canReadMore: boolean | Readonly<Record<string, JsonValue>>;
  /** Describes what was cut off before the result was stored. */
  readonly lost?: string | undefined;
}

/** Returns the line that marks a cut for the model: what it can still read, and what was never stored. */
export function cutMark({ left, total, canReadMore, lost }: Cut): string {
  const example = typeof canReadMore === "boolean" ? "" : `, for example ${JSON.stringify(canReadMore)}`;
  const rest = canReadMore === false ? "" : `; ${READ_ARTIFACT} reads them${example}`;
  return `[cut: ${left} of ${total} characters left out${rest}${lost === undefined ? "" : `; ${lost}`}]`;
}

/**
 * Returns a description of the part of a response that was never stored because the response was longer than the plan
 * allows; undefined if all of it was stored.
 *
 * @param result - the result of a network tool, or the details of its failure.
 */
export function lostOf(result: unknown): string | undefined {
  if (!isObject(result) || !("truncated" in result) || result.truncated !== true) {
    return undefined;
  }
  const bytes = "keptBytes" in result && typeof result.keptBytes === "number" ? result.keptBytes : undefined;
  const total = "totalBytes" in result && typeof result.totalBytes === "number" ? ` of ${result.totalBytes}` : "";
  const kept = bytes === undefined ? "its end was not kept" : `only its first ${bytes}${total} bytes were kept`;
  return `the response was longer: ${kept}`;
}
