import { expect, it } from "vitest";
import { parseTarget } from "../../src/conformance/conformance-options.ts";

it.each([
  ["http://localhost:3000/tools", undefined],
  ["http://127.0.0.1:3000/tools", undefined],
  ["https://127.255.0.3/tools", undefined],
  ["http://[::1]:3000/tools", undefined],
  ["https://orders.example.com/tools", "orders.example.com"],
  ["https://orders.example.com:8443/tools", "orders.example.com:8443"],
])("%s may be tested, with the host %s allowed", (url, allowedHost) => {
  expect(parseTarget(url, allowedHost).href).toBe(url);
});

it.each([
  ["https://orders.example.com/tools", undefined],
  ["https://orders.example.com/tools", "example.com"],
  ["http://128.0.0.1/tools", undefined],
  ["http://[::2]/tools", undefined],
  ["http://localhost.example.com/tools", undefined],
])("%s may not be tested, with the host %s allowed", (url, allowedHost) => {
  expect(() => parseTarget(url, allowedHost)).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
});
