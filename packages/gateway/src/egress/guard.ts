import { ConnectionPool } from "./connection-pool.ts";
import { createConnector } from "./connector.ts";
import { EgressError } from "./egress-error.ts";
import { createGate } from "./gate.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { completePolicy, type EgressPolicy } from "./policy.ts";
import { sendRequest } from "./request.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** What a guard would do with a URL now. `reason` is for the audit log only. */
export type EgressDecision =
  | { readonly allowed: true; readonly addresses: readonly ResolvedAddress[] }
  | { readonly allowed: false; readonly code: "URL_BLOCKED" | "DNS_BLOCKED"; readonly reason: string };

/** The way out for one kind of destination. */
export interface EgressGuard {
  /** Resolves and judges without connecting. A request decides again, on what the name resolves to then. */
  check(url: string): Promise<EgressDecision>;
  /**
   * Sends one request over a judged connection and reads the answer whole.
   *
   * @throws EgressError; what `beforeSend` or `onBytesSent` threw is passed on unchanged.
   */
  request(options: EgressRequest): Promise<EgressResponse>;
  /** `fetch` over the same connections: no redirects, no encoded answers, EgressError for refusals and failures. */
  readonly fetch: typeof fetch;
  /** Fails what is under way with `NETWORK_ERROR` and closes all connections. */
  close(): Promise<void>;
}

/**
 * Makes a guard. A process may have several: one with `allowCidrs` for hosts that a person wrote down, one without for
 * those that a model did.
 *
 * @throws YagateError `INVALID_REQUEST` for a policy that holds something else than CIDRs, host names, ports or limits.
 */
export function createEgressGuard(policy: EgressPolicy = {}): EgressGuard {
  const complete = completePolicy(policy);
  const gate = createGate(complete);
  const pool = new ConnectionPool(createConnector(gate, complete), complete.limits);
  return {
    async check(url) {
      try {
        return { allowed: true, addresses: await gate.resolve(gate.parse(url)) };
      } catch (error) {
        if (error instanceof EgressError && (error.code === "URL_BLOCKED" || error.code === "DNS_BLOCKED")) {
          return { allowed: false, code: error.code, reason: error.reason };
        }
        throw error;
      }
    },
    request: (options) => sendRequest(gate, pool, options),
    fetch: createGuardedFetch(gate, pool, complete.limits),
    close: () => pool.close(),
  };
}
