import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { YagateError } from "@yagate/protocol";
import type { OwnPlaces } from "./own-places.ts";

/** What a guard allows. */
export interface EgressPolicy {
  /**
   * Networks that the operator allowlists, for hosts that an author or operator configured; default none. If all
   * addresses of a name are inside them, `http:`, any port and the name `localhost` are also allowed. Leave this empty
   * for a guard whose URLs are written by a model. An address in `64:ff9b::/96` is checked by its embedded IPv4
   * address, so this network can be allowlisted if names resolve to such addresses (DNS64).
   */
  readonly allowCidrs?: readonly string[];
  /** Networks that are always blocked, in addition to the built-in tables; default none. */
  readonly denyCidrs?: readonly string[];
  /** The gateway's own addresses. Requests to the ports on which it listens there are always blocked. Default none. */
  readonly ownPlaces?: OwnPlaces;
  /** The only allowed host names, such as `api.example.com` or `*.example.com`; default any. */
  readonly allowedDomains?: readonly string[];
  /**
   * Ports that URLs may use; default `[443]`. `any` allows 1 to 65,535, for requests that restrict the ports
   * themselves: see `EgressRequest.approved`.
   */
  readonly ports?: readonly number[] | "any";
  /** Whether `http:` to public addresses is also allowed, on port 80 and on `ports`; default false. */
  readonly allowHttp?: boolean;
  /** Resolves names, like `dns.lookup` with `all: true`. Called once per connection. Default `dns.lookup`. */
  readonly lookup?: LookupFunction;
  /** Certificates (PEM) to trust in addition to those of the system; default none. */
  readonly ca?: readonly string[];
  readonly limits?: Partial<EgressLimits>;
}

/** Limits of a guard. All times are in ms. */
export interface EgressLimits {
  /** Time limit of a DNS query; default 5,000. */
  readonly dnsTimeoutMs: number;
  /** Time limit of a TCP connection, and of a TLS handshake; default 10,000 each. */
  readonly connectTimeoutMs: number;
  /**
   * Maximum number of concurrent connections to one origin in one group of requests; default 256. Further requests wait
   * until a connection is free or their deadline has passed.
   */
  readonly connectionsPerOrigin: number;
  /**
   * Maximum number of open connections of the guard; default 2,048. If it is exceeded, the oldest idle connection is
   * closed.
   */
  readonly connections: number;
  /** How long an idle connection is kept if the server does not specify a time; default 4,000. */
  readonly keepAliveMs: number;
  /** Maximum age of a connection, so that changes in DNS take effect; default and maximum 60,000. */
  readonly connectionAgeMs: number;
  /** Maximum size of response headers in bytes; default 16,384. */
  readonly responseHeaderBytes: number;
  /** Maximum length of a URL in characters; default 16,384. */
  readonly urlLength: number;
  /** Time limit of `fetch` for the headers of a response, and between two chunks of its body; default 300,000. */
  readonly fetchIdleMs: number;
  /** Maximum size of the body of a response to `fetch`, in bytes; default 64 MiB. */
  readonly fetchResponseBytes: number;
}

const MAX_CONNECTION_AGE_MS = 60_000;

/** The default allowed ports. */
export const DEFAULT_PORTS: readonly number[] = [443];

/** The default limits. */
export const DEFAULT_LIMITS: EgressLimits = {
  dnsTimeoutMs: 5_000,
  connectTimeoutMs: 10_000,
  connectionsPerOrigin: 256,
  connections: 2_048,
  keepAliveMs: 4_000,
  connectionAgeMs: MAX_CONNECTION_AGE_MS,
  responseHeaderBytes: 16_384,
  urlLength: 16_384,
  fetchIdleMs: 300_000,
  fetchResponseBytes: 64 * 1024 * 1024,
};

/** A policy with all defaults filled in. */
export interface CompletePolicy {
  readonly allowCidrs: readonly string[];
  readonly denyCidrs: readonly string[];
  readonly ownPlaces: OwnPlaces | undefined;
  readonly allowedDomains: readonly string[] | undefined;
  readonly ports: ReadonlySet<number> | "any";
  readonly allowHttp: boolean;
  readonly lookup: LookupFunction;
  readonly ca: readonly string[];
  readonly limits: EgressLimits;
}

/**
 * Validates a policy and fills in its defaults.
 *
 * @throws YagateError `INVALID_REQUEST` if a port or limit is out of range.
 */
export function completePolicy(policy: EgressPolicy): CompletePolicy {
  const limits = { ...DEFAULT_LIMITS, ...policy.limits };
  for (const [name, value] of Object.entries(limits)) {
    requireWhole(value, 1, 2 ** 31 - 1, `limits.${name}`);
  }
  requireWhole(limits.connectionAgeMs, 1, MAX_CONNECTION_AGE_MS, "limits.connectionAgeMs");
  const ports = policy.ports ?? DEFAULT_PORTS;
  return {
    allowCidrs: policy.allowCidrs ?? [],
    denyCidrs: policy.denyCidrs ?? [],
    ownPlaces: policy.ownPlaces,
    allowedDomains: policy.allowedDomains,
    ports: ports === "any" ? ports : portSet(ports, "ports"),
    allowHttp: policy.allowHttp ?? false,
    lookup: policy.lookup ?? lookup,
    ca: policy.ca ?? [],
    limits,
  };
}

/**
 * Validates a list of ports.
 *
 * @param field - the name of the setting, for the message.
 * @throws YagateError `INVALID_REQUEST` if a port is out of range.
 */
export function portSet(ports: readonly number[], field: string): ReadonlySet<number> {
  ports.forEach((port, index) => {
    requireWhole(port, 1, 65_535, `${field}[${index}]`);
  });
  return new Set(ports);
}

function requireWhole(value: number, least: number, most: number, field: string): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new YagateError("INVALID_REQUEST", `${field} must be a whole number from ${least} to ${most}`);
  }
}
