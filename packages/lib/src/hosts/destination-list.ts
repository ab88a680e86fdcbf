import { parseHost, parseHostPattern, YagateError } from "@yagate/protocol";

/** Checks whether a host is on a list. The host must be in the form that {@link hostNameOf} returns. */
export type DestinationList = (host: string) => boolean;

/**
 * Creates the check for a list of hosts to which requests or credentials may be sent: the domains of an integration,
 * the hosts of a secret, or the allowlist of a guard. An entry matches exactly; `*.example.com` matches every name
 * under `example.com`, but not `example.com` itself. Site filters follow a different rule: {@link isWithinSite}.
 *
 * @param entries - host names, which may contain Unicode characters, or IP addresses, which match only themselves.
 * @throws YagateError `INVALID_REQUEST` for an invalid entry.
 */
export function createDestinationList(entries: readonly string[]): DestinationList {
  const canonical = destinationNames(entries);
  const names = new Set(canonical);
  const suffixes = canonical.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
  return (host) => names.has(host) || suffixes.some((suffix) => host.endsWith(suffix));
}

/**
 * Converts the entries of a list to the form in which URL parsers return hosts: lower case, Unicode as punycode, and
 * addresses without brackets.
 *
 * @throws YagateError `INVALID_REQUEST` for an invalid entry.
 */
export function destinationNames(entries: readonly string[]): readonly string[] {
  return entries.map((entry, index) => {
    const name = parseHostPattern(entry);
    if (name !== undefined) return name;
    throw new YagateError(
      "INVALID_REQUEST",
      `allowedDomains[${index}] must be a host such as api.example.com or *.example.com, without a scheme, port or path`,
    );
  });
}

/** Returns the destination list of a secret as it appears in messages: `no host` if it is empty. */
export function boundHostsText(hosts: readonly string[]): string {
  return hosts.length === 0 ? "no host" : hosts.join(", ");
}

/**
 * Checks whether a credential may be sent to a host.
 *
 * @param host - a name or an address, without a port.
 * @param hosts - the destination list of the secret. If it is empty, the credential may not be sent to any host.
 */
export function hostIsBound(host: string, hosts: readonly string[]): boolean {
  const canonical = hosts.length === 0 ? undefined : parseHost(host);
  return canonical !== undefined && createDestinationList(hosts)(canonical);
}
