import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { argumentsHash } from "../src/index.ts";

it("hashes the canonical form of the arguments", async () => {
  const digest = createHash("sha256").update('{"amount":4.5,"orderId":"ORD-1"}').digest("hex");
  expect(await argumentsHash({ orderId: "ORD-1", amount: 4.5 })).toBe(`sha256:${digest}`);
});

it("hashes arguments that are not an object", async () => {
  expect(await argumentsHash("{ not JSON")).toMatch(/^sha256:[0-9a-f]{64}$/);
});
