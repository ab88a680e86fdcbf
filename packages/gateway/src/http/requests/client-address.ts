import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Returns the IP address of the client; null if the connection is closed. */
export type ClientAddress = (request: IncomingMessage) => string | null;

/**
 * The proxies whose `X-Forwarded-For` is trusted: the number of proxies in front of the gateway, or their networks as
 * CIDRs.
 */
export type TrustProxy = number | readonly string[];

/** Maximum number of entries to read from the header, more than any real chain of proxies has. */
const MAX_HOPS = 32;

/**
 * Creates the function that determines the address of a client. It reads `X-Forwarded-For` from the end, because each
 * proxy appends the address that it saw. A client can forge every entry except those that trusted proxies appended.
 */
export function createClientAddress(trustProxy: TrustProxy): ClientAddress {
  const isTrusted = typeof trustProxy === "number" ? hops(trustProxy) : networks(trustProxy);
  return (request) => {
    let address = parseAddress(request.socket.remoteAddress ?? "");
    if (address === undefined) return null;
    const forwarded = forwardedFor(request);
    for (const [hop, text] of forwarded.entries()) {
      if (!isTrusted(address, hop)) break;
      const next = parseAddress(text);
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

/** Returns the entries of the header, the last one first. */
function forwardedFor({ headers }: IncomingMessage): readonly string[] {
  const header = headers["x-forwarded-for"];
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text === "" ? [] : text.split(",").slice(-MAX_HOPS).toReversed();
}

function hops(count: number): (address: string, hop: number) => boolean {
  return (_address, hop) => hop < count;
}

function networks(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = "", prefix = ""] = cidr.split("/");
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Parses an address. Some proxies add the port, and a dual-stack socket reports IPv4 addresses as IPv6. */
function parseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(trimmed) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(trimmed) ?? [];
  const address = (bracketed ?? withPort ?? trimmed).replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? undefined : address;
}
