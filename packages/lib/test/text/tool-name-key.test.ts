import { expect, it } from "vitest";
import { toolNameKey } from "../../src/text/tool-name-key.ts";

it.each([
  ["orders.lookup", "orders_lookup"],
  ["Orders_Lookup", "orders.lookup"],
])("the key of %s is that of %s", (one, other) => {
  expect(toolNameKey(one)).toBe(toolNameKey(other));
});

it("the keys of names that providers distinguish differ", () => {
  expect(toolNameKey("orders-lookup")).not.toBe(toolNameKey("orders_lookup"));
});
