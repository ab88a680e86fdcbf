import { domainToASCII } from "node:url";
import { describe, expect, it } from "vitest";
import { hostOf, isWithin, toDomain } from "../../../src/search/query/domain.ts";

describe("toDomain", () => {
  // Node's domainToASCII, an interface of its own to UTS #46.
  it.each(["Example.COM", "bücher.example", "食狮.公司.cn", "faß.de", "xn--fa-hia.de", "sub.a.example"])(
    "%s",
    (text) => {
      expect(toDomain(text)).toBe(domainToASCII(text));
    },
  );

  it.each([
    "com",
    "https://example.com",
    "example.com/a",
    "example.com:443",
    "*.example.com",
    "user@example.com",
    "192.0.2.1",
    "0xC0.2",
    "[2001:db8::1]",
    "exa mple.com",
    "",
    ".",
    "a..b.example",
    `${"a".repeat(64)}.example`,
  ])("%s is none", (text) => {
    expect(toDomain(text)).toBeUndefined();
  });

  it("takes a dot at the end", () => {
    expect(toDomain("example.com.")).toBe("example.com");
  });
});

describe("isWithin", () => {
  it.each<[host: string, domain: string, is: boolean]>([
    ["example.com", "example.com", true],
    ["www.example.com", "example.com", true],
    ["a.b.example.com", "example.com", true],
    ["notexample.com", "example.com", false],
    ["example.com.evil.test", "example.com", false],
    ["example.co", "example.com", false],
    ["com", "example.com", false],
    ["one.github.io", "two.github.io", false],
    ["192.0.2.1", "2.1", false],
  ])("%s in %s: %s", (host, domain, is) => {
    expect(isWithin(host, domain)).toBe(is);
  });

  it.each<[string, string | undefined]>([
    ["https://example.com@evil.test/", "evil.test"],
    ["https://evil.test/example.com", "evil.test"],
    ["https://evil.test\\@example.com/", "evil.test"],
    ["https://EXAMPLE.com./", "example.com"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["javascript:alert(1)", undefined],
    ["local:a", undefined],
  ])("the host of %s is %s", (url, host) => {
    expect(hostOf(url)).toBe(host);
  });
});
