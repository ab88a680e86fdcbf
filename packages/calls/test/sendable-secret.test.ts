import { expect, it } from "vitest";
import { sendableSecret } from "../src/sendable-secret.ts";

const SECRET = { hosts: ["api.shop.example", "*.pay.example"] };

it.each(["api.shop.example", "eu.pay.example"])("a secret may be sent to %s, which its hosts include", (host) => {
  expect(sendableSecret("SHOP_KEY", SECRET, host)).toEqual({ secret: SECRET });
});

it.each(["shop.example", "v2.api.shop.example", "pay.example", "api.shop.example.evil.example"])(
  "a secret may not be sent to %s, and the failure names the hosts that it may be sent to",
  (host) => {
    expect(sendableSecret("SHOP_KEY", SECRET, host)).toMatchObject({
      failure: {
        code: "URL_BLOCKED",
        message: expect.stringMatching(
          new RegExp(`^SHOP_KEY may not be sent to ${host}, only to api\\.shop\\.example`),
        ),
        outcome: "none",
      },
    });
  },
);

it("a secret without hosts may be sent nowhere", () => {
  expect(sendableSecret("SHOP_KEY", { hosts: [] }, "api.shop.example")).toMatchObject({
    failure: { code: "URL_BLOCKED", outcome: "none" },
  });
});

it("a call with a secret that the workspace does not have fails before it is sent, and is not retried", () => {
  expect(sendableSecret("SHOP_KEY", undefined, "api.shop.example")).toMatchObject({
    failure: { code: "CREDENTIAL_UNKNOWN", isRetryable: false, outcome: "none" },
  });
});
