import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Where a request comes from; null once its connection has gone. */
export type ClientAddress = (request: IncomingMessage) => string | null;

/**
 * Which proxies are believed when they say whom they pass on: how many stand in front of the gateway, or their networks
 * as CIDRs.
 */
export type TrustProxy = number | readonly string[];

/** More entries than any chain of proxies makes: the rest of the header is not read. */
const MAX_HOPS = 32;

/**
 * Reads `X-Forwarded-For` from its end, since each proxy appends the address that it saw: what stands before the first
 * address that no trusted proxy has written is the client's own invention.
 */
export function createClientAddress(trustProxy: TrustProxy): ClientAddress {
  const isTrusted = typeof trustProxy === "number" ? hops(trustProxy) : networks(trustProxy);
  return (request) => {
    let address = parseAddress(request.socket.remoteAddress ?? "");
    if (address === undefined) return null;
    const told = forwardedFor(request);
    for (const [hop, text] of told.entries()) {
      if (!isTrusted(address, hop)) break;
      const next = parseAddress(text);
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

/** The last one first. */
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

/** An address alone: some proxies write it with its port, and IPv4 comes as IPv6 where both are listened on. */
function parseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(trimmed) ?? [];
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(trimmed) ?? [];
  const address = (bracketed ?? withPort ?? trimmed).replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? undefined : address;
}
