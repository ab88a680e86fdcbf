import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { YagateError } from "@yagate/protocol";
import type { OwnPlaces } from "./own-places.ts";

/** What a guard lets through. */
export interface EgressPolicy {
  /**
   * Networks that the operator opens, for hosts that a person wrote down; default none. Where every address of a name
   * is inside, `http:`, any port and the name `localhost` are allowed too. Give none to a guard whose URLs a model
   * writes. Of `64:ff9b::/96` the IPv4 address within decides, so that it may be opened where names resolve to it.
   */
  readonly allowCidrs?: readonly string[];
  /** Networks that stay closed whatever else is said; default none beyond the built-in tables. */
  readonly denyCidrs?: readonly string[];
  /** What is closed at its own ports whatever else is said, such as the gateway's own listeners; default nothing. */
  readonly ownPlaces?: OwnPlaces;
  /** `api.example.com` or `*.example.com`; default any. */
  readonly allowedDomains?: readonly string[];
  /**
   * Ports of URLs; default `[443]`. `any`: 1 to 65 535, for requests that say themselves which ports are approved, see
   * `EgressRequest.approved`.
   */
  readonly ports?: readonly number[] | "any";
  /** Lets `http:` go to public addresses too, on port 80 and on `ports`; default false. */
  readonly allowHttp?: boolean;
  /** Called as `dns.lookup` with `all: true`, once a connection; default `dns.lookup`. */
  readonly lookup?: LookupFunction;
  /** PEM certificates that are trusted beside the system's. */
  readonly ca?: readonly string[];
  readonly limits?: Partial<EgressLimits>;
}

/** Bounds of a guard; all times in ms. */
export interface EgressLimits {
  /** One DNS query; default 5 000. */
  readonly dnsTimeoutMs: number;
  /** One TCP connection, and one TLS handshake; default 10 000 each. */
  readonly connectTimeoutMs: number;
  /**
   * Connections of one group of requests to one origin at the same time; further ones wait inside their own deadline.
   * Default 256.
   */
  readonly connectionsPerOrigin: number;
  /** Open connections of the guard beyond which the oldest idle one is closed; default 2 048. */
  readonly connections: number;
  /** How long an idle connection is kept when the server does not say; default 4 000. */
  readonly keepAliveMs: number;
  /** How long at most a connection is used, so that changes in DNS take effect; default and maximum 60 000. */
  readonly connectionAgeMs: number;
  /** Response headers; default 16 384. */
  readonly responseHeaderBytes: number;
  /** Characters of a URL; default 16 384. */
  readonly urlLength: number;
  /** Time to the headers of an answer to `fetch`, and between two pieces of its body; default 300 000. */
  readonly fetchIdleMs: number;
  /** Body of an answer to `fetch`; default 64 MiB. */
  readonly fetchResponseBytes: number;
}

const MAX_CONNECTION_AGE_MS = 60_000;

/** Ports that are open when nobody says which. */
export const DEFAULT_PORTS: readonly number[] = [443];

/** Bounds of a guard that was given none. */
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

/** A policy with nothing left open. */
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
 * @param field - the setting's name, for the message.
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
