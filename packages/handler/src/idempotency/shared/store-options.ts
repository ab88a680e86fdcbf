import { YagateError } from "@yagate/protocol/calls";
import { assertKnownKeys } from "../../known-keys.ts";

const DEFAULT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 600_000;

/** Options that all stores in a database have. */
export interface SharedStoreOptions {
  /**
   * The tenant whose calls this store keeps, if several tenants share a database; create one store for each tenant. At
   * most 200 characters. Default: a single tenant.
   */
  readonly tenant?: string | undefined;
  /**
   * Time limit of one store operation in ms, including retries after temporary failures: 1 to 600,000. A claim also
   * takes at most half of the time that the call has left. Default 5,000.
   */
  readonly timeoutMs?: number | undefined;
}

/** Validates the options that all stores have. Rejects options that are neither among these nor among `ownKeys`. */
export function readSharedOptions(options: SharedStoreOptions, ownKeys: readonly string[]) {
  assertKnownKeys("an idempotency store", options, [...ownKeys, "tenant", "timeoutMs"]);
  const { tenant = "", timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  // PostgreSQL cannot store U+0000 in text, and databases replace a lone surrogate with different characters.
  if (typeof tenant !== "string" || tenant.length > 200 || tenant.includes("\0") || !tenant.isWellFormed()) {
    throw new YagateError("INVALID_REQUEST", "tenant: expected a string of at most 200 characters");
  }
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new YagateError("INVALID_REQUEST", `timeoutMs: expected a number, 1 to ${MAX_TIMEOUT_MS}`);
  }
  return { tenant, timeoutMs };
}
