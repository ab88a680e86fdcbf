import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { schemaHash } from "../src/index.ts";
import { builds } from "./signing/builds.ts";

it.each(builds)("%s hashes the canonical form in UTF-8", async (_name, protocol) => {
  const parameters = {
    type: "object",
    properties: { orderId: { type: "string", description: "größer ☃" } },
    required: ["orderId"],
  };
  const canonical =
    '{"properties":{"orderId":{"description":"größer ☃","type":"string"}},"required":["orderId"],"type":"object"}';
  expect(await protocol.schemaHash(parameters)).toBe(`sha256:${createHash("sha256").update(canonical).digest("hex")}`);
});

it("is the same for another order of members, another for another order of a list", async () => {
  const hash = await schemaHash({ a: 1, b: ["x", "y"] });
  expect(await schemaHash({ b: ["x", "y"], a: 1 })).toBe(hash);
  expect(await schemaHash({ a: 1, b: ["y", "x"] })).not.toBe(hash);
});

it("refuses what is no JSON", async () => {
  await expect(schemaHash({ a: Number.NaN })).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
});
