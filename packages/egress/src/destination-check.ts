import { createDestinationList, type DestinationList, destinationNames } from "@yagate/lib/hosts/destination-list";
import { isLocalhost } from "@yagate/lib/hosts/host-name";
import { notApproved } from "./approved.ts";
import { approvedText } from "./approved-text.ts";
import { urlBlocked } from "./blocked.ts";
import { type Destination, parseDestination } from "./destination.ts";
import type { OpenedHosts } from "./opened-hosts.ts";
import { DEFAULT_LIMITS, DEFAULT_PORTS, portSet } from "./policy.ts";

/** Hosts that were approved together, and the ports that are allowed for them. */
export interface ApprovedDestinations {
  /** `api.example.com`, or `*.example.com` for every name below it. An empty list approves nothing. */
  readonly allowedDomains: readonly string[];
  /** Ports of https. Default: those of the check. */
  readonly ports?: readonly number[];
}

/** Options that apply to all approved destinations. */
export interface DestinationCheckOptions {
  /** Ports of https for entries without ports; default `[443]`. */
  readonly ports?: readonly number[];
  /**
   * Whether the guard has `allowCidrs`; default false. If true, `http:` is allowed on any port, and so is `localhost`:
   * the guard allows them only inside those networks.
   */
  readonly hasOpenedNetworks?: boolean;
  /** Which hosts are inside `allowCidrs`, for the error message; default none. */
  readonly isOpened?: OpenedHosts;
  /** Maximum length of a URL in characters; default 16 384. */
  readonly urlLength?: number;
}

/** Decides by its text alone whether a request may go to a URL. */
export interface DestinationCheck {
  /**
   * @returns the destination, with the host in lower case and without a trailing dot.
   * @throws EgressError `URL_BLOCKED`; if the host or its port is not approved, the message lists what is.
   */
  check(url: string): Destination;
}

/**
 * Creates the check of a request that may go only to destinations that a person approved, such as the domains of an
 * agent's integrations. It complements the policy of a guard, which checks the addresses: pass it as
 * `EgressRequest.approved` to a guard whose `ports` are `any`. It is then also called for every redirect.
 *
 * @throws YagateError `INVALID_REQUEST` for an entry that is not a domain or a port.
 */
export function createDestinationCheck(
  approved: readonly ApprovedDestinations[],
  options: DestinationCheckOptions = {},
): DestinationCheck {
  const { hasOpenedNetworks = false, isOpened = () => false, urlLength = DEFAULT_LIMITS.urlLength } = options;
  const defaultPorts = portSet(options.ports ?? DEFAULT_PORTS, "ports");
  const entries = approved.map((entry): Entry => {
    const { allowedDomains, ports } = entry;
    return {
      has: createDestinationList(allowedDomains),
      names: destinationNames(allowedDomains),
      ports: ports === undefined ? defaultPorts : portSet(ports, "ports"),
    };
  });
  const named = [
    ...new Set(entries.flatMap(({ names, ports }) => names.map((name) => approvedText(name, ports, isOpened)))),
  ];
  return {
    check(url) {
      const destination = parseDestination(url, urlLength);
      const { protocol, hostname, port } = destination;
      if (!hasOpenedNetworks && protocol !== "https:") {
        throw urlBlocked("the url must be https");
      }
      if (!hasOpenedNetworks && isLocalhost(hostname)) {
        throw urlBlocked("the host must not be localhost");
      }
      const matching = entries.filter(({ has }) => has(hostname));
      if (matching.length === 0) {
        throw notApproved(`host ${hostname}`, named);
      }
      if (protocol === "https:" && !matching.some(({ ports }) => ports.has(port))) {
        throw notApproved(`port ${port} of ${hostname}`, named);
      }
      return destination;
    },
  };
}

interface Entry {
  readonly has: DestinationList;
  readonly names: readonly string[];
  readonly ports: ReadonlySet<number>;
}
