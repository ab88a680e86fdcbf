import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createClientAddress, type TrustProxy } from "../../src/http/requests/client-address.ts";

function requestFrom(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe("the client's address", () => {
  it.each<[string, TrustProxy, string, string | undefined, string]>([
    ["is the connection's without proxies", 0, "198.51.100.9", undefined, "198.51.100.9"],
    ["is not what a client forges without proxies", 0, "198.51.100.9", "203.0.113.1", "198.51.100.9"],
    ["is IPv4 where both kinds are listened on", 0, "::ffff:198.51.100.9", undefined, "198.51.100.9"],
    ["is what the one proxy appended", 1, "10.0.0.1", "203.0.113.1", "203.0.113.1"],
    ["is not what a client wrote before that", 1, "10.0.0.1", "1.1.1.1, 203.0.113.1", "203.0.113.1"],
    ["is the outer proxy's word behind two", 2, "10.0.0.1", "1.1.1.1, 203.0.113.1, 10.0.0.2", "203.0.113.1"],
    ["is the proxy's where the header is missing", 1, "10.0.0.1", undefined, "10.0.0.1"],
    ["is the proxy's where the header is no address", 1, "10.0.0.1", "unknown", "10.0.0.1"],
    ["is the last one that was understood", 2, "10.0.0.1", "<script>, 10.0.0.2", "10.0.0.2"],
    ["has no port", 1, "10.0.0.1", "203.0.113.1:4711", "203.0.113.1"],
    ["has no brackets", 1, "10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["passes trusted networks", ["10.0.0.0/8"], "10.0.0.1", "1.1.1.1, 203.0.113.1, 10.9.9.9", "203.0.113.1"],
    ["passes trusted IPv6 networks", ["fd00::/8"], "fd00::1", "1.1.1.1, 2001:db8::1", "2001:db8::1"],
    ["is the connection's from elsewhere", ["10.0.0.0/8"], "198.51.100.9", "10.0.0.1", "198.51.100.9"],
    ["is the first proxy where all are trusted", ["10.0.0.0/8"], "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ])("%s", (_what, trustProxy, remote, forwarded, expected) => {
    expect(createClientAddress(trustProxy)(requestFrom(remote, forwarded))).toBe(expected);
  });

  it("is not known once the connection has gone", () => {
    expect(createClientAddress(1)(requestFrom(undefined, "203.0.113.1"))).toBeNull();
  });

  it("reads the end of a header of any length", () => {
    const forged = "1.1.1.1,".repeat(100_000);
    expect(createClientAddress(1)(requestFrom("10.0.0.1", `${forged}203.0.113.1`))).toBe("203.0.113.1");
  });
});
