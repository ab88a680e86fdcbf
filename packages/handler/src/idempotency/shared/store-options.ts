import { YagateError } from "@yagate/protocol";
import { assertKnownKeys } from "../../known-keys.ts";

const DEFAULT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 600_000;

/** Options of every store in a database. */
export interface SharedStoreOptions {
  /**
   * The tenant of the calls, if several tenants share a database. Create a store for each tenant. At most 200
   * characters. Default: one tenant.
   */
  readonly tenant?: string | undefined;
  /**
   * Time limit of one step of the store in ms: 1 to 600 000. Within it the store retries after temporary failures. A
   * claim takes at most half of the call's own time. Default 5 000.
   */
  readonly timeoutMs?: number | undefined;
}

/** Validates the options of every store. Rejects options that neither all stores nor this one has. */
export function readSharedOptions(options: SharedStoreOptions, ownKeys: readonly string[]) {
  assertKnownKeys("an idempotency store", options, [...ownKeys, "tenant", "timeoutMs"]);
  const { tenant = "", timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  // PostgreSQL text can't contain U+0000, and a lone surrogate would become another character in each database.
  if (typeof tenant !== "string" || tenant.length > 200 || tenant.includes("\0") || !tenant.isWellFormed()) {
    throw new YagateError("INVALID_REQUEST", "tenant: expected a string of at most 200 characters");
  }
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new YagateError("INVALID_REQUEST", `timeoutMs: expected a number, 1 to ${MAX_TIMEOUT_MS}`);
  }
  return { tenant, timeoutMs };
}
