import { isJsonObject } from "@yagate/lib/json/json-object";
/** Copies a JSON object; `undefined` for any other value. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? { ...value } : undefined;
}
