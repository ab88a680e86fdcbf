import { expect, it } from "vitest";
import { hostOf } from "../../../src/search/pages/url-key.ts";

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
