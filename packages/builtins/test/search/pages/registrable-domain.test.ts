import { expect, it } from "vitest";
import { registrableDomain } from "../../../src/search/evidence/rank.ts";

// The list's own test data says so: publicsuffix/list, tests/test_psl.txt.
it.each<[host: string, domain: string]>([
  ["example.com", "example.com"],
  ["a.b.example.com", "example.com"],
  ["b.domain.biz", "domain.biz"],
  ["www.test.ac.jp", "test.ac.jp"],
  ["test.kyoto.jp", "test.kyoto.jp"],
  ["a.b.c.kobe.jp", "b.c.kobe.jp"],
  ["www.city.kobe.jp", "city.kobe.jp"],
  ["www.www.ck", "www.ck"],
  ["b.c.ck", "b.c.ck"],
  ["www.test.k12.ak.us", "test.k12.ak.us"],
  ["www.食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"],
  ["shishi.公司.cn", "shishi.xn--55qx5d.cn"],
  // Of the list's private part.
  ["one.github.io", "one.github.io"],
  ["www.one.blogspot.com", "one.blogspot.com"],
])("%s is registered as %s", (host, domain) => {
  expect(registrableDomain(`https://${host}/page`)).toBe(domain);
});

it.each([
  ["https://192.0.2.1/a", "192.0.2.1"],
  ["https://localhost/a", "localhost"],
  ["local:notes/a.md", "local:"],
])("%s stands for %s", (url, expected) => {
  expect(registrableDomain(url)).toBe(expected);
});
