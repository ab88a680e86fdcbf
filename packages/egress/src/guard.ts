import { ConnectionPool } from "./connection-pool.ts";
import { createConnector } from "./connector.ts";
import { EgressError } from "./egress-error.ts";
import { createGate } from "./gate.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { type CompletePolicy, completePolicy, type EgressPolicy } from "./policy.ts";
import { type EgressRoute, sendRequest } from "./request.ts";
import type { ResolvedAddress } from "./resolver.ts";
import { followRevalidated } from "./revalidated-redirects.ts";

/** What a guard would do with a URL now. `reason` is for the audit log only. */
export type EgressDecision =
  | { readonly allowed: true; readonly addresses: readonly ResolvedAddress[] }
  | { readonly allowed: false; readonly code: "URL_BLOCKED" | "DNS_BLOCKED"; readonly reason: string };

/** Sends requests to one kind of destination. */
export interface EgressGuard {
  /** Resolves and checks without connecting. A request decides again, by the addresses of the name at that time. */
  check(url: string): Promise<EgressDecision>;
  /**
   * Sends one request over a checked connection and reads the whole response. Follows redirects only if the request
   * says so.
   *
   * @throws EgressError; errors of `beforeSend` and `onBytesSent` are passed on unchanged.
   */
  request(options: EgressRequest): Promise<EgressResponse>;
  /**
   * `fetch` over the same connections: no redirects, no encoded responses, EgressError for blocked and failed requests.
   */
  readonly fetch: typeof fetch;
  /** Fails requests in flight with `NETWORK_ERROR` and closes all connections. */
  close(): Promise<void>;
}

/**
 * Creates a guard. A process may have several: one with `allowCidrs` for hosts that an author or operator configured,
 * one without for hosts that a model wrote.
 *
 * @throws YagateError `INVALID_REQUEST` for a policy with invalid CIDRs, host names, ports or limits.
 */
export function createEgressGuard(policy: EgressPolicy = {}): EgressGuard {
  const complete = completePolicy(policy);
  const route = createRoute(complete);
  const { gate, pool } = route;
  // The author of a redirect did not configure the host, so the operator's allowlist does not apply. Connections are
  // separate as well, because an open one might lead into an allowlisted network.
  const redirectRoute = createRoute({ ...complete, allowCidrs: [], allowHttp: false });
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
    request: (options) =>
      options.redirects === "revalidate"
        ? followRevalidated(route, redirectRoute, options)
        : sendRequest(route, options),
    fetch: createGuardedFetch(gate, pool, complete.limits),
    async close() {
      await Promise.all([pool.close(), redirectRoute.pool.close()]);
    },
  };
}

function createRoute(policy: CompletePolicy): EgressRoute {
  const gate = createGate(policy);
  return { gate, pool: new ConnectionPool(createConnector(gate, policy), policy.limits) };
}
