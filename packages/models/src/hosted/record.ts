import { isJsonObject } from "@yagate/lib/json/json-object";
/** Narrows a value to an object. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? { ...value } : undefined;
}
