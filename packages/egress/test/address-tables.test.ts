import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateAddressTables } from "../scripts/generate-address-tables.ts";
import { SPECIAL_IPV6 } from "../src/address-tables.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const ipv4 = read("data/iana-ipv4-special-registry-1.csv");
const ipv6 = read("data/iana-ipv6-special-registry-1.csv");

describe("address tables", () => {
  it("are what the generator makes of the registries", () => {
    expect(read("src/address-tables.ts")).toBe(generateAddressTables(ipv4, ipv6));
  });

  it("hold of IPv6 only the outermost blocks inside 2000::/3", () => {
    expect(SPECIAL_IPV6.map(([network, length]) => `${network}/${length}`)).toEqual([
      "2001::/23",
      "2001:db8::/32",
      "2002::/16",
      "2620:4f:8000::/48",
      "3fff::/20",
    ]);
  });

  it("keep a block that the registry lists twice", () => {
    const twice = `${ipv4}10.0.0.0/8,Again,[RFC1918],1996-02,N/A,True,True,True,False,False\n`;
    expect(generateAddressTables(twice, ipv6).match(/"10\.0\.0\.0", 8/g)).toHaveLength(1);
  });

  it.each([
    ["a block without a length", ipv4.replace("10.0.0.0/8", "10.0.0.0")],
    ["a length that is too long", ipv4.replace("10.0.0.0/8", "10.0.0.0/33")],
    ["a name where a block should be", ipv4.replace("10.0.0.0/8", "Private-Use")],
    ["other columns", ipv4.replace("Address Block", "Name")],
    ["most rows missing", ipv4.slice(0, 400)],
  ])("are not made of a registry with %s", (_name, csv) => {
    expect(() => generateAddressTables(csv, ipv6)).toThrow("expected");
  });
});
