import { createDomainList, type DomainList, domainNames } from "@yagate/lib/hosts/domain-list";
import { isLocalhost } from "@yagate/lib/hosts/host-name";
import { notApproved } from "./approved.ts";
import { approvedText } from "./approved-text.ts";
import { urlBlocked } from "./blocked.ts";
import { type Destination, parseDestination } from "./destination.ts";
import type { OpenedHosts } from "./opened-hosts.ts";
import { DEFAULT_LIMITS, DEFAULT_PORTS, portSet } from "./policy.ts";

/** Hosts that were approved together, and the ports that are open on them alone. */
export interface ApprovedDestinations {
  /** `api.example.com`, or `*.example.com` for every name below it; none approves nothing. */
  readonly allowedDomains: readonly string[];
  /** Of https; default those of the check. */
  readonly ports?: readonly number[];
}

/** What holds for all that is approved. */
export interface DestinationCheckOptions {
  /** Of https, where an entry names none; default `[443]`. */
  readonly ports?: readonly number[];
  /**
   * Whether the guard has `allowCidrs`; default false. Then `http:` passes, on any port, and so does `localhost`: the
   * guard lets them go nowhere but there.
   */
  readonly hasOpenedNetworks?: boolean;
  /** Which hosts are inside `allowCidrs`, for the message of a refusal; default none. */
  readonly isOpened?: OpenedHosts;
  /** Characters of a URL; default 16 384. */
  readonly urlLength?: number;
}

/** Decides which URLs one request may go to, by their text alone. */
export interface DestinationCheck {
  /**
   * @returns the parts that a request would go to, host in lower case and without a trailing dot.
   * @throws EgressError `URL_BLOCKED`, whose message lists what is approved when the host or its port is not.
   */
  check(url: string): Destination;
}

/**
 * Makes the check of a request that may go only where some person approved, such as the domains of an agent's
 * integrations. It complements the policy of a guard, which judges what the name stands for: pass it as
 * `EgressRequest.approved` of a guard whose `ports` are `any`, so that it is asked for every redirect too.
 *
 * @throws YagateError `INVALID_REQUEST` for an entry that is no domain or port.
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
      has: createDomainList(allowedDomains),
      names: domainNames(allowedDomains),
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
  readonly has: DomainList;
  readonly names: readonly string[];
  readonly ports: ReadonlySet<number>;
}
