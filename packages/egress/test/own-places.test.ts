import { describe, expect, it } from "vitest";
import { createOwnPlaces } from "../src/own-places.ts";

const interfaces = () => ({
  lo: [{ address: "127.0.0.1" }, { address: "::1" }],
  eth0: [{ address: "10.20.0.5" }, { address: "FD00:20::5" }],
});

function placesOf(listener: string, publicUrl?: string) {
  const places = createOwnPlaces({ publicUrl, interfaces });
  places.add(listener, 4_820);
  return places;
}

describe("an address of the gateway's own", () => {
  it.each<[string, string, string, boolean]>([
    ["the one that is listened on", "127.0.0.1", "127.0.0.1", true],
    ["another of the loopback", "127.0.0.1", "127.0.0.2", false],
    ["the loopback of the other family", "127.0.0.1", "::1", false],
    ["its IPv4-mapped form", "127.0.0.1", "::ffff:127.0.0.1", true],
    ["its IPv4-mapped form in hex", "127.0.0.1", "::FFFF:7f00:1", true],
    ["its translated form", "10.20.0.5", "64:ff9b::10.20.0.5", true],
    ["no address, which arrives at the loopback", "127.0.0.1", "0.0.0.0", true],
    ["no address of IPv6", "::1", "::", true],
    ["another text of the same address", "fd00:20::5", "fd00:20:0:0::0:5", true],
    ["an address on all, of an interface", "0.0.0.0", "10.20.0.5", true],
    ["an address on all, of the loopback", "0.0.0.0", "127.8.9.1", true],
    ["an address on all, of nobody here", "0.0.0.0", "10.20.0.6", false],
    ["an address on all of both families", "::", "fd00:20::5", true],
    ["an IPv4 address on all of both families", "::", "10.20.0.5", true],
  ])("%s: listening on %s, %s is %s", (_what, listener, address, expected) => {
    expect(placesOf(listener).hasAddress(address, 4_820)).toBe(expected);
    expect(placesOf(listener).hasAddress(address, 4_821)).toBe(false);
  });
});

describe("the public URL", () => {
  it.each<[string, string, string, number, boolean]>([
    ["its own port", "https://gw.example", "gw.example", 443, true],
    ["a path beside", "https://gw.example/yagate", "gw.example", 443, true],
    ["a trailing dot", "https://GW.example./", "gw.example", 443, true],
    ["Unicode", "https://bücher.example", "xn--bcher-kva.example", 443, true],
    ["http", "http://gw.example", "gw.example", 80, true],
    ["a port that is written down", "https://gw.example:8443", "gw.example", 8_443, true],
    ["another port", "https://gw.example:8443", "gw.example", 443, false],
    ["a name below", "https://gw.example", "a.gw.example", 443, false],
    ["an address of IPv6", "https://[2606::1]:9000", "2606::1", 9_000, true],
  ])("is closed by name: %s", (_what, publicUrl, hostname, port, expected) => {
    expect(placesOf("127.0.0.1", publicUrl).hasHost(hostname, port)).toBe(expected);
  });

  it("that is an address is closed for names that lead there", () => {
    const places = placesOf("127.0.0.1", "http://10.20.0.9:8080");
    expect(places.hasAddress("::ffff:10.20.0.9", 8_080)).toBe(true);
    expect(places.hasAddress("10.20.0.9", 8_081)).toBe(false);
  });
});
