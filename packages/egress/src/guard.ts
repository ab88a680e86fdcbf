import { ConnectionPool } from "./connection-pool.ts";
import { createConnector } from "./connector.ts";
import { EgressError } from "./egress-error.ts";
import { createGate } from "./gate.ts";
import { createGuardedFetch, type GroupFetch } from "./guarded-fetch.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { type CompletePolicy, completePolicy, type EgressPolicy } from "./policy.ts";
import { type EgressRoute, sendRequest } from "./request.ts";
import type { ResolvedAddress } from "./resolver.ts";
import { followRevalidated } from "./revalidated-redirects.ts";

/** A guard's current decision on a URL. `reason` is only for the audit log. */
export type EgressDecision =
  | { readonly allowed: true; readonly addresses: readonly ResolvedAddress[] }
  | { readonly allowed: false; readonly code: "URL_BLOCKED" | "DNS_BLOCKED"; readonly reason: string };

/** Sends requests under one policy. */
export interface EgressGuard {
  /**
   * Checks a URL: resolves its name and checks the addresses, without connecting. A request repeats these checks,
   * because the addresses of the name may have changed by then.
   */
  check(url: string): Promise<EgressDecision>;
  /**
   * Sends one request over a checked connection and reads the complete response. Follows redirects only if `redirects`
   * is `revalidate`.
   *
   * @throws EgressError; errors that `beforeSend` or `onBytesSent` throws are passed on unchanged.
   */
  request(options: EgressRequest): Promise<EgressResponse>;
  /**
   * A `fetch` that uses the same connections. It follows no redirects, rejects encoded responses, and rejects with an
   * EgressError if a request is blocked or fails.
   */
  readonly fetch: typeof fetch;
  /**
   * Returns a `fetch` like {@link EgressGuard.fetch}, whose requests share connections only within a group, and whose
   * callers can watch each request.
   */
  fetchIn(group: string): GroupFetch;
  /** Makes requests in flight fail with `NETWORK_ERROR`, and closes all connections. Resolves when they are closed. */
  close(): Promise<void>;
}

/**
 * Creates a guard. A process may use several: one with `allowCidrs` for hosts that an author or operator configured,
 * and one without `allowCidrs` for hosts that a model wrote.
 *
 * @throws YagateError `INVALID_REQUEST` if the policy contains an invalid CIDR, host name, port or limit.
 */
export function createEgressGuard(policy: EgressPolicy = {}): EgressGuard {
  const complete = completePolicy(policy);
  const route = createRoute(complete);
  const { gate, pool } = route;
  // The operator's allowlist does not apply to redirects, because their author did not configure the host. Redirects
  // also have separate connections, because an open connection might lead into an allowlisted network.
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
    fetchIn: (group) => createGuardedFetch(gate, pool, complete.limits, group),
    async close() {
      await Promise.all([pool.close(), redirectRoute.pool.close()]);
    },
  };
}

function createRoute(policy: CompletePolicy): EgressRoute {
  const gate = createGate(policy);
  return { gate, pool: new ConnectionPool(createConnector(gate, policy), policy.limits) };
}

/** Values that are created once for each list of allowlisted networks. Workspaces with the same list share a value. */
export interface PerNetworks<Made> {
  of(workspaceId: string): Made;
  /** Returns all values created so far. */
  made(): readonly Made[];
}

/**
 * Creates one value per list of networks. This separates connections by policy: a connection that one workspace's
 * networks allow must never carry requests of a workspace whose networks do not allow it.
 *
 * @param cidrsOf - returns the networks of a workspace. There must be a limited number of different lists, and equal
 *   lists must be the same object.
 */
export function createPerNetworks<Made>(
  cidrsOf: (workspaceId: string) => readonly string[],
  make: (allowCidrs: readonly string[]) => Made,
): PerNetworks<Made> {
  const byList = new Map<readonly string[], Made>();
  const bySet = new Map<string, Made>();
  return {
    of(workspaceId) {
      const list = cidrsOf(workspaceId);
      const known = byList.get(list);
      if (known !== undefined) return known;
      const cidrs = [...new Set(list)].toSorted();
      const key = cidrs.join(",");
      const made = bySet.get(key) ?? make(cidrs);
      bySet.set(key, made);
      byList.set(list, made);
      return made;
    },
    made: () => [...bySet.values()],
  };
}
