import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { type AddressVerdict, createAddressPolicy } from "../src/address-policy.ts";
import {
  IPV4_EDGES,
  IPV6_EDGES,
  isPublicByArithmetic,
  numberToIpv4,
  numberToIpv6,
} from "./support/bigint-classifier.ts";

const closed = createAddressPolicy([], []);

const near = (edges: readonly bigint[], last: bigint) =>
  fc
    .tuple(fc.constantFrom(...edges), fc.bigInt(-2n, 2n))
    .map(([edge, offset]) => edge + offset)
    .filter((value) => value >= 0n && value <= last);
const LAST_IPV4 = (1n << 32n) - 1n;
const LAST_IPV6 = (1n << 128n) - 1n;
const ipv4 = fc.oneof(fc.bigInt(0n, LAST_IPV4), near(IPV4_EDGES, LAST_IPV4)).map(numberToIpv4);
const ipv6 = fc
  .oneof(
    fc.bigInt(0n, LAST_IPV6),
    fc.bigInt(1n << 125n, (1n << 126n) - 1n),
    near(IPV6_EDGES, LAST_IPV6),
    // IPv4 addresses in the low bits, below zero prefixes of all kinds.
    fc
      .tuple(fc.bigInt(0n, LAST_IPV4), fc.constantFrom(0n, 0xffffn << 32n, 0xffff_0000n << 32n, 0x64ff9bn << 96n))
      .map(([low, high]) => low + high),
  )
  .map(numberToIpv6);

describe("the address policy", () => {
  it("agrees with arithmetic on random addresses and at every edge", () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (address) => {
        expect(closed.judge(address)).toBe(isPublicByArithmetic(address) ? "public" : "refused");
      }),
      { numRuns: 20_000 },
    );
  });

  it("calls nothing public that ipaddr.js does not call unicast", () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (address) => {
        if (closed.judge(address) === "public") {
          expect(ipaddr.parse(address).range()).toBe("unicast");
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    "",
    "127.1",
    "010.0.0.1",
    "8.8.8.8\n",
    " 8.8.8.8",
    "8.8.8",
    "2130706433",
    "0x8080808",
    "8.8.8.8/32",
    "[2606:4700:4700::1111]",
    "2606:4700:4700::1111%eth0",
    "2606:4700:4700::1111%",
    "example.com",
  ])("refuses the text %j, which is no address", (text) => {
    expect(closed.judge(text)).toBe("refused");
  });

  it.each<[string, string, AddressVerdict]>([
    ["an address inside an opened network", "10.1.2.3", "allowed"],
    ["an address beside it", "11.1.2.3", "public"],
    ["a single opened address", "127.0.0.1", "allowed"],
    ["its neighbour", "127.0.0.2", "refused"],
    ["the mapped form of an opened address", "::ffff:10.1.2.3", "refused"],
    ["the compatible form of an opened address", "::10.1.2.3", "refused"],
    ["an opened IPv6 network", "fd00::1", "allowed"],
    ["an address that is denied inside an opened network", "10.9.0.1", "refused"],
    ["a public address that is denied", "93.184.216.34", "refused"],
    ["a public IPv6 address that is denied", "2606:4700:0:0::1", "refused"],
  ])("judges %s", (_name, address, verdict) => {
    const policy = createAddressPolicy(
      ["10.0.0.0/8", "127.0.0.1", "fd00::/8"],
      ["10.9.0.0/16", "93.184.216.0/24", "2606:4700::/32"],
    );
    expect(policy.judge(address)).toBe(verdict);
  });

  it.each<[string, AddressVerdict]>([
    ["64:ff9b::8.8.8.8", "public"],
    ["64:ff9b::808:808", "public"],
    ["64:ff9b:0:0:0:0:0808:0808", "public"],
    ["64:ff9b::10.1.2.3", "allowed"],
    ["64:ff9b::10.0.0.0", "allowed"],
    ["64:ff9b::10.9.0.1", "refused"],
    ["64:ff9b::127.0.0.1", "refused"],
    ["64:ff9b::169.254.169.254", "refused"],
    ["64:ff9b::", "refused"],
    ["64:ff9b::1", "refused"],
    ["64:ff9b:1::8.8.8.8", "refused"],
  ])("judges what %s is translated to, where the translator's network is opened", (address, verdict) => {
    const policy = createAddressPolicy(["64:ff9b::/96", "10.0.0.0/8"], ["10.9.0.0/16"]);
    expect(policy.judge(address)).toBe(verdict);
    expect(closed.judge(address)).toBe("refused");
  });

  it("judges a translated address like the one in it, whichever it is", () => {
    const policy = createAddressPolicy(["64:ff9b::/96"], []);
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(0n, LAST_IPV4), near(IPV4_EDGES, LAST_IPV4)), (value) => {
        const judged = policy.judge(numberToIpv6((0x64ff9bn << 96n) + value));
        expect(judged).toBe(isPublicByArithmetic(numberToIpv4(value)) ? "public" : "refused");
      }),
      { numRuns: 3_000 },
    );
  });

  it("denies the mapped form of a denied address where everything else is opened", () => {
    const policy = createAddressPolicy(["::/0", "0.0.0.0/0"], ["10.0.0.0/8"]);
    expect(policy.judge("::ffff:10.0.0.1")).toBe("refused");
    expect(policy.judge("10.0.0.1")).toBe("refused");
    expect(policy.judge("::1")).toBe("allowed");
  });

  it.each([
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/+8",
    "10.0.0.0/1e1",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "fd00::/129",
    "fe80::%lo/64",
    "x",
    "",
  ])("is not made of the CIDR %j", (cidr) => {
    expect(() => createAddressPolicy([cidr], [])).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
    expect(() => createAddressPolicy([], [cidr])).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
  });
});
