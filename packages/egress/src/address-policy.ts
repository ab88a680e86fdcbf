import { BlockList, isIP, SocketAddress } from "node:net";
import { strictFamily } from "@yagate/lib/hosts/address-family";
import { YagateError } from "@yagate/protocol";
import { GLOBAL_UNICAST_IPV6, type NamedSubnet, SPECIAL_IPV4, SPECIAL_IPV6, type Subnet } from "./address-tables.ts";

/**
 * `allowed`: inside a network that the operator allowlisted. `public`: a public address outside those networks.
 * `refused`: every other address; the guard blocks it.
 */
export type AddressVerdict = "allowed" | "public" | "refused";

/** Classifies IP addresses. */
export interface AddressPolicy {
  /**
   * Returns the verdict for an address. Any text except an IPv4 or IPv6 address in strict form, without a zone, is
   * `refused`.
   */
  judge(address: string): AddressVerdict;
  /** Explains the verdict to the operator, with the network that contains the address. */
  explain(address: string): string;
}

/** One block list per family, because a BlockList with IPv4 rules also matches the IPv4-mapped IPv6 forms. */
type SubnetsByFamily = Readonly<Record<4 | 6, BlockList>>;

const SPECIAL = toLists([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const GLOBAL_UNICAST = toLists([GLOBAL_UNICAST_IPV6]);
const TRANSLATED = toList([["64:ff9b::", 96]]);

/**
 * Creates the address policy of a guard.
 *
 * @param allowCidrs - private networks that the operator allowlists.
 * @param denyCidrs - networks that are always blocked, such as an operator's own NAT64 prefix.
 * @throws YagateError `INVALID_REQUEST` if an entry is not a CIDR.
 */
export function createAddressPolicy(allowCidrs: readonly string[], denyCidrs: readonly string[]): AddressPolicy {
  const allowedSubnets = allowCidrs.map((text, index) => parseCidr(text, `allowCidrs[${index}]`));
  const deniedSubnets = denyCidrs.map((text, index) => parseCidr(text, `denyCidrs[${index}]`));
  const allowed = toLists(allowedSubnets);
  const denied = toList(deniedSubnets);
  function judge(address: string): AddressVerdict {
    const family = strictFamily(address);
    if (family === 0 || denied.check(address, family === 4 ? "ipv4" : "ipv6")) {
      return "refused";
    }
    if (isInside(allowed, address, family)) {
      const translated = family === 6 ? translatedIpv4(address) : undefined;
      return translated === undefined ? "allowed" : judge(translated);
    }
    return isPublic(address, family) ? "public" : "refused";
  }

  return {
    judge,
    explain(address) {
      const family = strictFamily(address);
      if (family === 0) {
        return "not the strict text of an IP address";
      }
      // Unlike other networks, a denied network also blocks the IPv4-mapped form.
      const closed = deniedSubnets.find((subnet) => toList([subnet]).check(address, `ipv${family}`));
      if (closed !== undefined) {
        return `in the denied network ${cidrText(closed)}`;
      }
      const inside = (subnet: Subnet) => isInside(toLists([subnet]), address, family);
      const opened = allowedSubnets.find(inside);
      if (opened !== undefined) {
        const translated = family === 6 ? translatedIpv4(address) : undefined;
        const meant = translated === undefined ? "" : `, which translates to ${translated}: ${judge(translated)}`;
        return `in the allowlisted network ${cidrText(opened)}${meant}`;
      }
      const special = [...SPECIAL_IPV4, ...SPECIAL_IPV6].find(([network, length]) => inside([network, length]));
      if (special !== undefined) {
        return `in ${cidrText(special)}, ${special[2]}`;
      }
      return isPublic(address, family)
        ? "public"
        : `outside ${cidrText(GLOBAL_UNICAST_IPV6)}, the range of public IPv6 addresses`;
    },
  };
}

/**
 * Returns the IPv4 address that an address in 64:ff9b::/96 is translated to (RFC 6052). An operator allowlists that
 * network if the name servers use DNS64; this must not make other IPv4 addresses reachable.
 */
function translatedIpv4(address: string): string | undefined {
  if (!TRANSLATED.check(address, "ipv6")) {
    return undefined;
  }
  const written = new URL(`http://[${address}]/`).hostname;
  const groups = written.slice("[64:ff9b::".length, -1).split(":").filter(Boolean);
  const [high = 0, low = 0] = [0, 0, ...groups.map((group) => Number.parseInt(group, 16))].slice(-2);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function cidrText([network, prefixLength]: Subnet | NamedSubnet): string {
  return `${network}/${prefixLength}`;
}

/** Checks whether two strings are forms of the same address. */
export function isSameAddress(first: string, second: string): boolean {
  return first === second || canonicalText(first) === canonicalText(second);
}

function canonicalText(address: string): string {
  return strictFamily(address) === 6 ? new SocketAddress({ address, family: "ipv6" }).address : address;
}

function isPublic(address: string, family: 4 | 6): boolean {
  return (family === 4 || isInside(GLOBAL_UNICAST, address, family)) && !isInside(SPECIAL, address, family);
}

function isInside(lists: SubnetsByFamily, address: string, family: 4 | 6): boolean {
  return lists[family].check(address, family === 4 ? "ipv4" : "ipv6");
}

function toLists(subnets: readonly (Subnet | NamedSubnet)[]): SubnetsByFamily {
  const of = (family: 4 | 6) => toList(subnets.filter(([network]) => strictFamily(network) === family));
  return { 4: of(4), 6: of(6) };
}

function toList(subnets: readonly (Subnet | NamedSubnet)[]): BlockList {
  const list = new BlockList();
  for (const [network, prefixLength] of subnets) {
    list.addSubnet(network, prefixLength, strictFamily(network) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/**
 * Parses a CIDR such as `10.0.0.0/8` or `fd00::/8`. A single address becomes a network with one address.
 *
 * @param field - the name of the setting, for the message.
 * @throws YagateError `INVALID_REQUEST` if the text is neither.
 */
function parseCidr(text: string, field: string): Subnet {
  const [network = "", length, ...rest] = text.split("/");
  const family = network.includes("%") ? 0 : isIP(network);
  const bits = family === 4 ? 32 : 128;
  const prefixLength = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (family === 0 || rest.length > 0 || prefixLength < 0 || prefixLength > bits) {
    throw new YagateError("INVALID_REQUEST", `${field} must be an address or a CIDR such as 10.0.0.0/8 or fd00::/8`);
  }
  return [network, prefixLength];
}
