import { isJsonObject } from "@yagate/lib/json/json-object";
/** Reads what may be an object. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? { ...value } : undefined;
}
