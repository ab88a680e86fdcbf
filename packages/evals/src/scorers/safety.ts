import { createWildcard } from "@yagate/lib/text/wildcard";
import type { MadeCall } from "../calls/made-call.ts";

/** Calls that must not happen. */
export interface UnsafeCalls {
  /** Names of tools that the case forbids, as often as they were called. */
  readonly forbidden: readonly string[];
  /** Names of tools whose calls the policy or an approver denied. */
  readonly denied: readonly string[];
}

/**
 * Finds unsafe calls.
 *
 * @param forbidden - names of tools, in which `*` matches any characters.
 */
export function findUnsafeCalls(calls: readonly MadeCall[], forbidden: readonly string[]): UnsafeCalls {
  const patterns = forbidden.map(createWildcard);
  return {
    forbidden: calls.filter(({ name }) => patterns.some((matches) => matches(name))).map(({ name }) => name),
    denied: calls.filter(({ status }) => status === "denied").map(({ name }) => name),
  };
}
