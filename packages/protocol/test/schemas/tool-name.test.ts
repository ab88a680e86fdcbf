import { expect, it } from "vitest";
import { toolNameSchema } from "../../src/index.ts";

it.each([
  "lookup_order",
  "orders.get_by_id",
  "getOrder",
  "GetOrder",
  "HNA_WQA.search",
  "get-order",
  "orders-eu.get-By_ID2",
  "x",
  "a".repeat(64),
])("a tool may be called %s", (name) => {
  expect(toolNameSchema.parse(name)).toBe(name);
});

it.each(["", "1st", "_private", "-x", "a.", ".a", "a..b", "a.1", "a b", "größe", "a/b", "a\n", "a".repeat(65)])(
  "but not %j",
  (name) => {
    expect(toolNameSchema.safeParse(name).success).toBe(false);
  },
);
