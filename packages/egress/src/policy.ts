import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { YagateError } from "@yagate/protocol";
import type { OwnPlaces } from "./own-places.ts";

/** What a guard allows. */
export interface EgressPolicy {
  /**
   * Networks that the operator allowlists, for hosts that an author or operator configured; default none. If all
   * addresses of a name are inside, `http:`, any port and the name `localhost` are allowed too. Give none to a guard
   * whose URLs a model writes. In `64:ff9b::/96` the embedded IPv4 address decides, so the network may be allowlisted
   * where names resolve to it.
   */
  readonly allowCidrs?: readonly string[];
  /** Networks that are always blocked; default none beyond the built-in tables. */
  readonly denyCidrs?: readonly string[];
  /** Addresses that are always blocked on their own ports, such as the gateway's listeners; default none. */
  readonly ownPlaces?: OwnPlaces;
  /** `api.example.com` or `*.example.com`; default any. */
  readonly allowedDomains?: readonly string[];
  /**
   * Ports of URLs; default `[443]`. `any`: 1 to 65 535, for requests that name their approved ports themselves, see
   * `EgressRequest.approved`.
   */
  readonly ports?: readonly number[] | "any";
  /** Also allows `http:` to public addresses, on port 80 and on `ports`; default false. */
  readonly allowHttp?: boolean;
  /** Called like `dns.lookup` with `all: true`, once per connection; default `dns.lookup`. */
  readonly lookup?: LookupFunction;
  /** PEM certificates to trust in addition to the system's. */
  readonly ca?: readonly string[];
  readonly limits?: Partial<EgressLimits>;
}

/** Limits of a guard; all times in ms. */
export interface EgressLimits {
  /** One DNS query; default 5 000. */
  readonly dnsTimeoutMs: number;
  /** One TCP connection, and one TLS handshake; default 10 000 each. */
  readonly connectTimeoutMs: number;
  /**
   * Concurrent connections of one group of requests to one origin; further requests wait within their own deadline.
   * Default 256.
   */
  readonly connectionsPerOrigin: number;
  /** Open connections of the guard. Beyond this number the oldest idle one is closed; default 2 048. */
  readonly connections: number;
  /** How long an idle connection is kept if the server does not say; default 4 000. */
  readonly keepAliveMs: number;
  /** Maximum age of a connection, so that changes in DNS take effect; default and maximum 60 000. */
  readonly connectionAgeMs: number;
  /** Response headers; default 16 384. */
  readonly responseHeaderBytes: number;
  /** Characters of a URL; default 16 384. */
  readonly urlLength: number;
  /** Time to the headers of a response to `fetch`, and between two pieces of its body; default 300 000. */
  readonly fetchIdleMs: number;
  /** Body of a response to `fetch`; default 64 MiB. */
  readonly fetchResponseBytes: number;
}

const MAX_CONNECTION_AGE_MS = 60_000;

/** The default ports. */
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

/** A policy with all defaults. */
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

/** @throws YagateError `INVALID_REQUEST` for a port or limit out of range. */
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
 * @param field - the name of the setting, for the message.
 * @throws YagateError `INVALID_REQUEST` for a port out of range.
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
