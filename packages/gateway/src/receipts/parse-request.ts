import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";

/** What an execution was asked for, as it is stored: the trace that is kept beside it says nothing of that. */
export function parseRequest(text: string): unknown {
  const stored = parseJsonOrUndefined(text);
  if (!isJsonObject(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name !== "trace"));
}
