import { isObject } from "@yagate/lib/json/json-object";

/**
 * SQLSTATEs of temporary failures: lost connections (08), conflicts between transactions (40), insufficient resources
 * (53), unavailable locks (55P03), and a server that is stopping or starting (57P01 to 57P05).
 */
const PASSING_STATE = /^(08|40|53|55P03|57P0[1-5])/;

/**
 * Checks whether the same statement may succeed soon. Errors that the server sent have a severity; all others come from
 * the connection.
 */
export function isTransient(error: unknown): boolean {
  if (!isObject(error) || !("severity" in error)) return true;
  return "code" in error && typeof error.code === "string" && PASSING_STATE.test(error.code);
}
