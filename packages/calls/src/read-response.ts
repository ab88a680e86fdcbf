import type { ResponseHeaders } from "@yagate/egress";
import { isObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import { parse } from "secure-json-parse";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Returns the value of a header by its name in lower case. The values of a repeated header are joined into one list.
 */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" || value === undefined ? value : value.join(", ");
}

/** Decodes UTF-8 and removes a byte order mark. Returns undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A response body as JSON, or the reason why it can't be read. `problem` contains no part of the body. */
export type ResponseJson =
  | { readonly isReadable: true; readonly value: JsonValue }
  /** `isJson`: the body is JSON, but unsafe to process. */
  | { readonly isReadable: false; readonly problem: string; readonly isJson: boolean };

/** Maximum nesting depth. All later code can recurse this deep; JSON.stringify overflows the stack at about 5,000 levels. */
const MAX_DEPTH = 256;

/**
 * Parses JSON from outside the gateway.
 *
 * @param text - the decoded body; undefined if the bytes were not UTF-8.
 */
export function readResponseJson(text: string | undefined): ResponseJson {
  if (text === undefined) return unreadable("the body is not UTF-8");
  if (text.trim() === "") return unreadable("the body is empty");
  let value: unknown;
  try {
    value = parse(text, { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    const isForbidden = error instanceof Error && error.message.includes("forbidden prototype property");
    return unreadable(isForbidden ? "the body contains a __proto__ or constructor member" : "the body is not JSON");
  }
  const problem = problemOf(value, 1);
  if (problem !== undefined) return unreadable(problem, true);
  return isChecked(value) ? { isReadable: true, value } : unreadable("the body is not JSON");
}

function problemOf(value: unknown, depth: number): string | undefined {
  // JSON may contain 1e999, which is parsed as Infinity and would be written back as null.
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a number is out of range";
  if (!isObject(value)) return undefined;
  if (depth > MAX_DEPTH) return `the body is nested more than ${MAX_DEPTH} levels deep`;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    const problem = problemOf(member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns whether a value in which no problem was found is JSON. Only undefined is not. */
function isChecked(value: unknown): value is JsonValue {
  return value !== undefined;
}

function unreadable(problem: string, isJson = false): ResponseJson {
  return { isReadable: false, problem, isJson };
}
