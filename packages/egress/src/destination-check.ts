import { createDestinationList, type DestinationList, destinationNames } from "@yagate/lib/hosts/destination-list";
import { isLocalhost, withoutBrackets } from "@yagate/lib/hosts/host-name";
import { createAddressPolicy } from "./address-policy.ts";
import { urlBlocked } from "./blocked.ts";
import { type Destination, parseDestination } from "./destination.ts";
import { DEFAULT_LIMITS, DEFAULT_PORTS, type EgressPolicy, portSet } from "./policy.ts";
import { notApproved } from "./url-policy.ts";

/** Hosts that are allowed together, and the ports that are allowed for them. */
export interface ApprovedDestinations {
  /**
   * Host names such as `api.example.com`, or `*.example.com` for every name under `example.com`. An empty list allows
   * no host.
   */
  readonly allowedDomains: readonly string[];
  /** Allowed ports for https. Default: the `ports` in the options of the check. */
  readonly ports?: readonly number[];
}

/** Options that apply to all allowed destinations. */
export interface DestinationCheckOptions {
  /** Allowed ports for https in entries without ports; default `[443]`. */
  readonly ports?: readonly number[];
  /**
   * Whether the guard has `allowCidrs`; default false. If true, the check allows `http:` on any port, and `localhost`;
   * the guard itself then allows them only inside those networks.
   */
  readonly hasOpenedNetworks?: boolean;
  /** Returns whether a host is inside `allowCidrs`; used in the error message. Default: always false. */
  readonly isOpened?: OpenedHosts;
  /** Maximum length of a URL in characters; default 16,384. */
  readonly urlLength?: number;
}

/** Checks whether a request may go to a URL, from the text of the URL alone. */
export interface DestinationCheck {
  /**
   * Checks a URL.
   *
   * @returns the destination, with the host in lower case and without a trailing dot.
   * @throws EgressError `URL_BLOCKED`. If the host or its port is not allowed, the message lists the allowed
   *   destinations.
   */
  check(url: string): Destination;
}

/**
 * Creates a check for requests that may go only to destinations that a person allowed, such as the domains of an
 * agent's integrations. It complements the policy of a guard, which checks the addresses: pass it as
 * `EgressRequest.approved` to a guard whose `ports` are `any`. The guard then applies the check to redirects as well.
 *
 * @throws YagateError `INVALID_REQUEST` if an entry contains an invalid domain or port.
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

/**
 * Returns whether a host is inside the operator's allowlisted networks, as far as this can be determined from its text.
 */
export type OpenedHosts = (host: string) => boolean;

/**
 * Creates the check. It recognises addresses, and treats `localhost` as the loopback address. It returns false for
 * other names, because their addresses are unknown.
 */
export function createOpenedHosts({ allowCidrs = [], denyCidrs = [] }: EgressPolicy): OpenedHosts {
  const { judge } = createAddressPolicy(allowCidrs, denyCidrs);
  return (host) =>
    !host.startsWith("*.") && judge(isLocalhost(host) ? "127.0.0.1" : withoutBrackets(host)) === "allowed";
}

/** Describes an allowed host, with its scheme and ports if they differ from the defaults. */
export function approvedText(host: string, ports: ReadonlySet<number>, isOpened: OpenedHosts): string {
  const isUsual = ports.size === 1 && ports.has(443);
  const named = `${ports.size === 1 ? "port" : "ports"} ${[...ports].join(", ")}`;
  if (isOpened(host)) return `${host} (https${isUsual ? "" : ` on ${named}`}, or http on any port)`;
  return isUsual ? host : `${host} (${named})`;
}
