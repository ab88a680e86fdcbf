import type { JsonValue } from "@yagate/protocol";

/** Parses JSON. Returns `undefined` if the text is absent or not JSON. */
export function parseJsonOrUndefined(text: string | null | undefined): JsonValue | undefined {
  if (text === undefined || text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
