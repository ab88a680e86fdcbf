import { domainToASCII } from "node:url";
import { createIntegrationSchema, parseHost, putSecretSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createDestinationList } from "../../src/hosts/destination-list.ts";
import { parseSite } from "../../src/hosts/site-filter.ts";

/** What a destination list, an integration and a secret make of an entry. Undefined: it is refused. */
function asDestination(entry: string): string | undefined {
  const ofSecret = putSecretSchema.safeParse({ value: "planted-secret", hosts: [entry] }).data?.hosts?.[0];
  const integration = createIntegrationSchema.safeParse({ name: "shop", allowedDomains: [entry] });
  expect(integration.data?.allowedDomains[0]).toBe(ofSecret);
  return ofSecret;
}

describe("an entry means the same in every list", () => {
  const same = (host: string) => [host, host] as const;

  it.each<[string, entry: string, destination: string | undefined, site: string | undefined]>([
    ["a name", "api.example.com", ...same("api.example.com")],
    ["upper case", "API.Example.COM", ...same("api.example.com")],
    ["a trailing dot", "example.com.", ...same("example.com")],
    ["Unicode", "bücher.example", ...same("xn--bcher-kva.example")],
    ["an ideographic dot", "bücher。example", ...same("xn--bcher-kva.example")],
    ["full-width letters", "ｅxample.com", ...same("example.com")],
    ["an underscore", "_dmarc.example", ...same("_dmarc.example")],
    ["a hyphen at the start of a label", "-a.example", ...same("-a.example")],
    ["spaces around", " example.com ", undefined, "example.com"],
    ["a single label", "localhost", "localhost", undefined],
    ["a last label of one letter", "a.b", "a.b", undefined],
    ["a wildcard", "*.example.com", "*.example.com", undefined],
    ["a wildcard in upper case", "*.Example.com", "*.example.com", undefined],
    ["a wildcard below a private suffix", "*.internal", "*.internal", undefined],
    ["a wildcard below a public suffix", "*.com", undefined, undefined],
    ["a full-width wildcard", "＊.example.com", undefined, undefined],
    ["a wildcard alone", "*", undefined, undefined],
    ["a wildcard inside", "a.*.example", undefined, undefined],
    ["a wildcard below an address", "*.127.0.0.1", undefined, undefined],
    ["an IPv4 address", "192.0.2.1", ...same("192.0.2.1")],
    ["an IPv4 address with a long last part", "192.0.2.10", ...same("192.0.2.10")],
    ["an IPv4 address in short form", "127.1", "127.0.0.1", undefined],
    ["an IPv4 address in hexadecimal", "0x7f.1", "127.0.0.1", undefined],
    ["an IPv4 address that can't be", "1.2.3.256", undefined, undefined],
    ["a name that ends in a number", "example.123", undefined, undefined],
    ["an IPv6 address", "::1", "::1", undefined],
    ["an IPv6 address in brackets", "[::1]", "::1", undefined],
    ["an IPv6 address in long form", "0:0::1", "::1", undefined],
    ["an IPv6 address that ends as IPv4", "::ffff:1.2.3.4", "::ffff:102:304", undefined],
    ["an IPv6 address with a zone", "fe80::1%eth0", undefined, undefined],
    ["an IPv6 address that can't be", "::g", undefined, undefined],
    ["half a bracket", "[::1", undefined, undefined],
    ["a name in brackets", "[example.com]", undefined, undefined],
    ["percent-encoding", "a%2eb.com", undefined, undefined],
    ["a port", "example.com:443", undefined, undefined],
    ["a scheme", "https://example.com", undefined, undefined],
    ["a path", "example.com/a", undefined, undefined],
    ["a backslash", "example.com\\a", undefined, undefined],
    ["a query", "example.com?x", undefined, undefined],
    ["a fragment", "example.com#x", undefined, undefined],
    ["a user name", "user@example.com", undefined, undefined],
    ["a space inside", "exa mple.com", undefined, undefined],
    ["a line break", "exam\nple.com", undefined, undefined],
    ["a quote", 'exam"ple.com', undefined, undefined],
    ["an empty label", "a..example", undefined, undefined],
    ["two trailing dots", "example.com..", undefined, undefined],
    ["a dot alone", ".", undefined, undefined],
    ["nothing", "", undefined, undefined],
    ["a label of 64 characters", `${"a".repeat(64)}.example`, undefined, undefined],
    ["a name of 254 characters", `${"a.".repeat(123)}examples`, undefined, undefined],
  ])("%s: %j", (_what, entry, destination, site) => {
    expect(asDestination(entry)).toBe(destination);
    expect(parseSite(entry)).toBe(site);
    if (destination !== undefined) expect(createDestinationList([entry])(destination.replace("*", "below"))).toBe(true);
    // The operator's own list may be wider than those of workspaces.
    else if (entry !== "*.com") expect(() => createDestinationList([entry])).toThrow(/^allowedDomains\[0\] must be/);
  });

  // Node's domainToASCII, another interface to UTS 46.
  it.each(["食狮.公司.cn", "faß.de", "xn--fa-hia.de"])("%s is read as UTS 46 maps it", (text) => {
    expect(parseHost(text)).toBe(domainToASCII(text));
  });
});
