import { expect, it } from "vitest";
import { createCallbackAddress } from "../../src/http/callback-address.ts";

const now = () => 0;

it.each<[string, string, string | undefined, boolean]>([
  ["on loopback", "127.0.0.1", undefined, true],
  ["on loopback of IPv6", "::1", undefined, true],
  ["by its name", "localhost", undefined, true],
  ["everywhere", "0.0.0.0", undefined, false],
  ["at an address of a network", "10.0.0.5", undefined, false],
  ["everywhere, with a public URL", "0.0.0.0", "https://gateway.example.com", true],
])("a gateway that listens %s", (_where, host, publicUrl, isReachable) => {
  expect(createCallbackAddress({ host, publicUrl, now }).isReachable).toBe(isReachable);
});

it.each<[string, string]>([
  ["https://gateway.example.com", "https://gateway.example.com"],
  ["https://gateway.example.com/", "https://gateway.example.com"],
  ["https://example.com/yagate/", "https://example.com/yagate"],
])("is the public URL where there is one: %s", async (publicUrl, base) => {
  const address = createCallbackAddress({ host: "127.0.0.1", publicUrl, now });
  address.listening("http://127.0.0.1:4820");
  expect(await address.base(0)).toBe(base);
});

it("is where it listens, also for a call that was taken up before it did", async () => {
  const address = createCallbackAddress({ host: "127.0.0.1", now });
  const early = address.base(60_000);
  address.listening("http://127.0.0.1:4820");
  expect(await early).toBe("http://127.0.0.1:4820");
  expect(await address.base(0)).toBe("http://127.0.0.1:4820");
});

it("is nothing when it does not listen in time, or nobody could reach it", async () => {
  expect(await createCallbackAddress({ host: "127.0.0.1", now }).base(5)).toBeUndefined();
  const address = createCallbackAddress({ host: "0.0.0.0", now });
  address.listening("http://localhost:4820");
  expect(await address.base(60_000)).toBeUndefined();
});
