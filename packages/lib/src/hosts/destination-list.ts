import { parseHost, parseHostPattern, YagateError } from "@yagate/protocol";

/** Whether a host is on the list. The host is as {@link hostNameOf} returns it. */
export type DestinationList = (host: string) => boolean;

/**
 * The rule for destinations that requests and credentials may reach: the domains of integrations, the hosts of secrets,
 * the allowlist of a guard. An entry matches exactly, or is `*.example.com` for every name below, but not the name
 * itself. Site filters follow another rule: {@link isWithinSite}.
 *
 * @param entries - names may be written in Unicode; IP addresses match themselves.
 * @throws YagateError `INVALID_REQUEST`.
 */
export function createDestinationList(entries: readonly string[]): DestinationList {
  const canonical = destinationNames(entries);
  const names = new Set(canonical);
  const suffixes = canonical.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
  return (host) => names.has(host) || suffixes.some((suffix) => host.endsWith(suffix));
}

/**
 * The entries of a list as URL parsers write hosts: lower case, Unicode as punycode, addresses without brackets.
 *
 * @throws YagateError `INVALID_REQUEST`.
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

/**
 * Whether a credential may be sent to a host.
 *
 * @param host - a name or an address, without a port.
 * @param hosts - the hosts of the secret, a destination list. If it is empty, the credential may be sent nowhere.
 */
export function hostIsBound(host: string, hosts: readonly string[]): boolean {
  const canonical = hosts.length === 0 ? undefined : parseHost(host);
  return canonical !== undefined && createDestinationList(hosts)(canonical);
}
