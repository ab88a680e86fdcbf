import { createHash } from "node:crypto";
import { toolNameSchema } from "@yagate/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sourcedToolName } from "../src/sourced-tool-name.ts";

it.each<[string, string]>([
  ["lookup", "orders.lookup"],
  ["orders.get-by_id", "orders.orders.get-by_id"],
  ["get order/1", "orders.get_order_1"],
  ["2fa", "orders.t_2fa"],
  ["_private", "orders.t__private"],
  ["-x", "orders.t_-x"],
  ["a..b", "orders.a.t_.b"],
  ["é", "orders.t__"],
])("%j is read as %s", (tool, name) => {
  expect(sourcedToolName("orders", tool)).toBe(name);
});

it("is cut to 55 characters and 8 hex digits of the hash of the original", () => {
  const tool = `${"a".repeat(47)}.${"b".repeat(16)}`;
  const hash = createHash("sha256").update(`orders.${tool}`).digest("hex").slice(0, 8);
  expect(sourcedToolName("orders", tool)).toBe(`orders.${"a".repeat(47)}__${hash}`);
  expect(sourcedToolName("orders", "a".repeat(57))).toHaveLength(64);
  expect(sourcedToolName("orders", "a".repeat(58))).toMatch(/^orders\.a{48}_[0-9a-f]{8}$/);
});

it("is a tool name for every published name", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200, unit: "binary" }), (tool) => {
      expect(toolNameSchema.safeParse(sourcedToolName("orders", tool)).success).toBe(true);
    }),
  );
});
