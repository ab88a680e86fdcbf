import { strictFamily } from "@yagate/lib/hosts/address-family";
import { createDestinationList, destinationNames } from "@yagate/lib/hosts/destination-list";
import { isLocalhost } from "@yagate/lib/hosts/host-name";
import type { AddressPolicy } from "./address-policy.ts";
import { dnsBlocked, urlBlocked } from "./blocked.ts";
import { type Authority, type Destination, isWebProtocol, parseDestination, requireHost } from "./destination.ts";
import type { EgressError } from "./egress-error.ts";
import type { CompletePolicy } from "./policy.ts";
import type { ResolvedAddress } from "./resolver.ts";

/** Checks the text of URLs, and the addresses to which their names resolve. */
export interface UrlPolicy {
  /**
   * Parses and checks a URL.
   *
   * @throws EgressError `URL_BLOCKED`.
   */
  parse(url: string): Destination;
  /**
   * Checks the scheme, the port and the host.
   *
   * @throws EgressError `URL_BLOCKED`.
   */
  judge(authority: Authority): void;
  /**
   * Checks all addresses of a name. A single blocked address blocks the name.
   *
   * @throws EgressError `DNS_BLOCKED`, or `URL_BLOCKED` for a literal address if its URL is allowed only in allowlisted
   *   networks.
   */
  admit(authority: Authority, addresses: readonly ResolvedAddress[]): void;
}

/**
 * Creates the URL policy for a guard.
 *
 * @throws YagateError `INVALID_REQUEST` if the policy contains an invalid domain.
 */
export function createUrlPolicy(policy: CompletePolicy, addressPolicy: AddressPolicy): UrlPolicy {
  const { allowedDomains, allowHttp, ownPlaces, ports } = policy;
  const isListed = allowedDomains === undefined ? undefined : createDestinationList(allowedDomains);
  const listed = destinationNames(allowedDomains ?? []);
  const hasOpenedNetworks = policy.allowCidrs.length > 0;

  /**
   * Returns why a destination is allowed only in an allowlisted network; undefined if it is allowed at any public
   * address.
   */
  function needOfOpenedNetwork({ protocol, hostname, port }: Authority): string | undefined {
    if (protocol !== "https:" && !allowHttp) {
      return "the url must be https";
    }
    const isOwnPort = protocol === "http:" && port === 80;
    if (ports === "any" ? port === 0 : !ports.has(port) && !isOwnPort) {
      return ports === "any" ? "the port must not be 0" : `the port must be one of ${[...ports].join(", ")}`;
    }
    return isLocalhost(hostname) ? "the host must not be localhost" : undefined;
  }

  function judge(authority: Authority): void {
    const { hostname, port } = authority;
    if (!isWebProtocol(authority.protocol)) {
      throw urlBlocked("the url must be https");
    }
    requireHost(hostname);
    if (ownPlaces?.hasHost(hostname, port)) {
      throw urlBlocked("the url must not lead to the gateway itself");
    }
    const need = needOfOpenedNetwork(authority);
    if (need !== undefined && !hasOpenedNetworks) {
      throw urlBlocked(need);
    }
    if (isListed !== undefined && !isListed(hostname)) {
      throw notApproved(`host ${hostname}`, listed);
    }
  }

  return {
    judge,
    parse(text) {
      const destination = parseDestination(text, policy.limits.urlLength);
      judge(destination);
      return destination;
    },
    admit(authority, addresses) {
      const verdicts = addresses.map(({ address }) => addressPolicy.judge(address));
      const refused = verdicts.indexOf("refused");
      if (addresses.length === 0 || refused !== -1) {
        throw dnsBlocked(`${authority.hostname} ${blockedBecause(authority, addresses[refused])}`);
      }
      const own = addresses.find(({ address }) => ownPlaces?.hasAddress(address, authority.port));
      if (own !== undefined) {
        const where = `the address ${own.address}, where the gateway itself listens on port ${authority.port}`;
        throw dnsBlocked(`${authority.hostname} has ${where}`);
      }
      const need = needOfOpenedNetwork(authority);
      if (need !== undefined && verdicts.includes("public")) {
        const reason = `${authority.hostname} is outside the allowlisted networks, so ${need}`;
        // Only the network shows whether a name has public addresses; for an IP address, its text shows it.
        throw strictFamily(authority.hostname) === 0 ? dnsBlocked(reason) : urlBlocked(need, reason);
      }
    },
  };
}

function blockedBecause({ hostname }: Authority, blocked: ResolvedAddress | undefined): string {
  if (blocked === undefined) return "has no address";
  return blocked.address === hostname ? "is a blocked address" : `has the blocked address ${blocked.address}`;
}

/** Maximum number of destinations listed in the message. If there are more, the message states how many. */
const MOST_NAMED = 30;

/**
 * Creates the error for a destination that is not allowed. Its message lists the allowed destinations, so that the
 * reader can choose one.
 *
 * @param what - the destination, such as `host evil.test`; contains only characters that hosts and ports may contain.
 * @param approved - the allowed destinations, such as `api.example.com` or `*.acme.com`.
 */
export function notApproved(what: string, approved: readonly string[]): EgressError {
  const named = approved.slice(0, MOST_NAMED).join(", ");
  const rest = approved.length > MOST_NAMED ? ` and ${approved.length - MOST_NAMED} more` : "";
  return urlBlocked(`blocked: ${what} is not allowed; allowed: ${named === "" ? "none" : named + rest}`);
}
