import { describe, expect, it } from "vitest";
import { urlKey, withoutTracking } from "../../../src/search/pages/url-key.ts";

describe("urlKey", () => {
  // Each pair is equivalent by the source named beside it.
  it.each<[source: string, one: string, other: string]>([
    ["RFC 3986, 6.2.2.1: case of scheme and host", "HTTP://www.EXAMPLE.com/", "http://www.example.com/"],
    [
      "RFC 3986, 6.2.2.2: unreserved characters need no encoding",
      "http://example.com/%7Esmith/home.html",
      "http://example.com/~smith/home.html",
    ],
    ["RFC 3986, 6.2.2.1: case of percent-encodings", "http://example.com/a%c3%b1o", "http://example.com/a%C3%B1o"],
    ["RFC 3986, 6.2.2.3: dot segments", "http://example.com/a/./b/../c", "http://example.com/a/c"],
    ["RFC 3986, 6.2.3: an empty path", "http://example.com", "http://example.com/"],
    ["RFC 3986, 6.2.3: the scheme's own port", "http://example.com:80/", "http://example.com/"],
    ["WHATWG URL: a host in Unicode", "https://faß.example/", "https://xn--fa-hia.example/"],
    ["WHATWG URL: a host in full-width letters", "https://ＥＸ.example/", "https://ex.example/"],
    ["WHATWG URL: an IPv4 address in hexadecimal", "https://0xC0.0x0.0x2.0x1/", "https://192.0.2.1/"],
    ["WHATWG URL: backslashes", "https:\\\\example.com\\a", "https://example.com/a"],
    ["WHATWG URL: spaces around", "  https://example.com/a  ", "https://example.com/a"],
    ["WHATWG URL: a fragment is not sent", "https://example.com/a#top", "https://example.com/a"],
    [
      "Google Analytics: campaign parameters",
      "https://example.com/a?utm_source=x&id=1&utm_medium=y",
      "https://example.com/a?id=1",
    ],
    ["Google Ads: gclid, gbraid, wbraid", "https://example.com/a?gclid=1&gbraid=2&wbraid=3", "https://example.com/a"],
    ["Meta: fbclid", "https://example.com/a?fbclid=IwAR0", "https://example.com/a"],
    ["Microsoft Advertising: msclkid", "https://example.com/a?msclkid=1", "https://example.com/a"],
    ["common practice: www", "https://www.example.com/a", "https://example.com/a"],
    [
      "common practice: a mobile host",
      "https://en.m.wikipedia.org/wiki/Heat_pump",
      "https://en.wikipedia.org/wiki/Heat_pump",
    ],
    ["common practice: https", "http://example.com/a", "https://example.com/a"],
    ["common practice: an index file", "https://example.com/a/index.html", "https://example.com/a"],
    ["common practice: AMP", "https://example.com/a/amp/", "https://example.com/a"],
    ["common practice: order of parameters", "https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"],
  ])("%s", (_source, one, other) => {
    expect(urlKey(one)).toBe(urlKey(other));
  });

  it.each<[why: string, one: string, other: string]>([
    ["RFC 3986, 6.2.2.1: paths have case", "https://example.com/A", "https://example.com/a"],
    ["RFC 3986, 2.2: reserved characters", "https://example.com/a%2Fb", "https://example.com/a/b"],
    ["another port", "https://example.com:8443/", "https://example.com/"],
    ["another parameter", "https://example.com/?id=1", "https://example.com/?id=2"],
    ["a parameter that only begins like tracking", "https://example.com/?utmost=1", "https://example.com/"],
    ["another host", "https://a.example.com/", "https://b.example.com/"],
    ["a host that is a mobile one by name only", "https://m.example/", "https://example/"],
    ["an address within the page, of applications", "https://example.com/#!/a", "https://example.com/#!/b"],
  ])("tells apart by %s", (_why, one, other) => {
    expect(urlKey(one)).not.toBe(urlKey(other));
  });

  it("leaves other addresses as they are", () => {
    expect(urlKey("local:notes/a.md")).toBe("local:notes/a.md");
    expect(urlKey("not an address")).toBe("not an address");
  });
});

describe("withoutTracking", () => {
  it.each([
    ["https://example.com/a?utm_source=x", "https://example.com/a"],
    ["https://example.com/a?q=a%20b+c&fbclid=1#part", "https://example.com/a?q=a%20b+c"],
    ["https://example.com/a?b=2&a=1", "https://example.com/a?b=2&a=1"],
    ["https://example.com/#!/a", "https://example.com/#!/a"],
    ["ftp://example.com/?utm_source=x", "ftp://example.com/?utm_source=x"],
  ])("%s", (url, expected) => {
    expect(withoutTracking(url)).toBe(expected);
  });
});
