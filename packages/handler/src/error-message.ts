import { isObject } from "@yagate/lib/json/json-object";
/** Returns the message of any thrown value, from any realm; empty if it has none. */
export function messageOf(error: unknown): string {
  return isObject(error) && "message" in error ? String(error.message) : "";
}
