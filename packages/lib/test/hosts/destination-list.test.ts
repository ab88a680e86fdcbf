import { expect, it } from "vitest";
import { boundHostsText, hostIsBound } from "../../src/hosts/destination-list.ts";

it.each<[string, string, readonly string[], boolean]>([
  ["the host itself", "api.example.com", ["api.example.com"], true],
  ["one of several", "b.example", ["a.example", "b.example"], true],
  ["upper case", "API.Example.COM", ["api.example.com"], true],
  ["a trailing dot", "api.example.com.", ["api.example.com"], true],
  ["Unicode", "bücher.example", ["xn--bcher-kva.example"], true],
  ["a name below a wildcard", "a.b.example.com", ["*.example.com"], true],
  ["a single label", "localhost", ["localhost"], true],
  ["an address", "127.0.0.1", ["127.0.0.1"], true],
  ["an IPv6 address in brackets", "[::1]", ["::1"], true],
  ["an IPv6 address written in another way", "0:0::1", ["::1"], true],
  ["no hosts at all", "api.example.com", [], false],
  ["another host", "api.example.org", ["api.example.com"], false],
  ["a name below one that has no wildcard", "x.api.example.com", ["api.example.com"], false],
  ["the name that a wildcard is below", "example.com", ["*.example.com"], false],
  ["a name that only ends alike", "evilexample.com", ["*.example.com"], false],
  ["a name that only begins alike", "api.example.com.evil.net", ["api.example.com"], false],
  ["two trailing dots", "api.example.com..", ["api.example.com"], false],
  ["a port", "api.example.com:443", ["api.example.com"], false],
  ["a user", "x@api.example.com", ["api.example.com"], false],
  ["a path", "api.example.com/x", ["api.example.com"], false],
  ["nothing", "", ["api.example.com"], false],
  ["no host", "a b", ["a b".replace(" ", ".")], false],
])("a secret and %s", (_what, host, hosts, isBound) => {
  expect(hostIsBound(host, hosts)).toBe(isBound);
});

it("a message lists the hosts of a secret, or says that it has none", () => {
  expect(boundHostsText(["a.example", "*.b.example"])).toBe("a.example, *.b.example");
  expect(boundHostsText([])).toBe("no host");
});
