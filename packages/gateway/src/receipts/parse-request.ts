import { parseJson } from "./parse-json.ts";

/** What an execution was asked for, as it is stored: the trace that is kept beside it says nothing of that. */
export function parseRequest(text: string): unknown {
  const stored = parseJson(text);
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name !== "trace"));
}
