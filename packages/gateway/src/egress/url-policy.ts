import { type AddressPolicy, strictFamily } from "./address-policy.ts";
import { dnsBlocked, urlBlocked } from "./blocked.ts";
import { createDomainList, withoutBrackets } from "./domain-list.ts";
import { isHostName, isLocalhost, withoutTrailingDot } from "./host-name.ts";
import type { CompletePolicy } from "./policy.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** What of a destination decides, as a URL and as a connection know it. */
export interface Authority {
  readonly protocol: string;
  /** Lower case, without brackets and without a trailing dot. */
  readonly hostname: string;
  readonly port: number;
}

/** A URL that passed the policy as far as its text goes; its addresses are still to be judged. */
export interface Destination extends Authority {
  readonly protocol: "http:" | "https:";
  /** What the caller asked for, normalised: `https://host[:port]`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** Decides on the text of URLs, and on the addresses that their names turn out to have. */
export interface UrlPolicy {
  /** @throws EgressError `URL_BLOCKED`. */
  parse(url: string): Destination;
  /** @throws EgressError `URL_BLOCKED`. */
  judge(authority: Authority): void;
  /**
   * Judges the whole set: one bad address refuses all.
   *
   * @throws EgressError `DNS_BLOCKED`, or `URL_BLOCKED` when only a private destination could have this URL.
   */
  admit(authority: Authority, addresses: readonly ResolvedAddress[]): void;
}

/** @throws YagateError `INVALID_REQUEST` when a domain of the policy is not one. */
export function createUrlPolicy(policy: CompletePolicy, addressPolicy: AddressPolicy): UrlPolicy {
  const isListed = policy.allowedDomains === undefined ? undefined : createDomainList(policy.allowedDomains);
  const hasOpenedNetworks = policy.allowCidrs.length > 0;

  /** Why this may only go to a network that the operator opened; undefined when any public address will do. */
  function needOfOpenedNetwork({ protocol, hostname, port }: Authority): string | undefined {
    if (protocol !== "https:") {
      return "the url must be https";
    }
    if (!policy.ports.has(port)) {
      return `the port must be one of ${[...policy.ports].join(", ")}`;
    }
    return isLocalhost(hostname) ? "the host must not be localhost" : undefined;
  }

  function judge(authority: Authority): void {
    const { hostname } = authority;
    if (!isWebProtocol(authority.protocol)) {
      throw urlBlocked("the url must be https");
    }
    if (strictFamily(hostname) === 0 && !isHostName(hostname)) {
      throw urlBlocked("the host must be a name of letters, digits, hyphens, underscores and dots, or an address");
    }
    const need = needOfOpenedNetwork(authority);
    if (need !== undefined && !hasOpenedNetworks) {
      throw urlBlocked(need);
    }
    if (isListed !== undefined && !isListed(hostname)) {
      throw urlBlocked("the host must be one of the allowed domains");
    }
  }

  return {
    judge,
    parse(text) {
      const url = text.length > policy.limits.urlLength ? null : URL.parse(text);
      if (url === null) {
        throw urlBlocked(`the url must be an absolute https url of at most ${policy.limits.urlLength} characters`);
      }
      const { protocol } = url;
      if (!isWebProtocol(protocol)) {
        throw urlBlocked("the url must be https");
      }
      if (url.username !== "" || url.password !== "") {
        throw urlBlocked("the url must not hold a user name or password");
      }
      const hostname = withoutTrailingDot(withoutBrackets(url.hostname));
      const authority = { protocol, hostname, port: toPort(protocol, url.port) };
      judge(authority);
      const host = strictFamily(hostname) === 6 ? `[${hostname}]` : hostname;
      const origin = `${protocol}//${host}${url.port === "" ? "" : `:${url.port}`}`;
      return { ...authority, origin, path: url.pathname + url.search };
    },
    admit(authority, addresses) {
      const verdicts = addresses.map(({ address }) => addressPolicy.judge(address));
      const refused = verdicts.indexOf("refused");
      if (addresses.length === 0 || refused !== -1) {
        const why = refused === -1 ? "has no address" : `has the address ${addresses[refused]?.address}`;
        throw dnsBlocked(`${authority.hostname} ${why}`);
      }
      const need = needOfOpenedNetwork(authority);
      if (need !== undefined && verdicts.includes("public")) {
        throw urlBlocked(need, `${authority.hostname} is outside the opened networks, and so ${need}`);
      }
    },
  };
}

/** @param port - as URLs have it: empty for the protocol's own. */
export function toPort(protocol: string, port: string): number {
  const ownPort = protocol === "https:" ? 443 : 80;
  return port === "" ? ownPort : Number(port);
}

function isWebProtocol(protocol: string): protocol is "http:" | "https:" {
  return protocol === "https:" || protocol === "http:";
}
