import { expect, it } from "vitest";
import { toolNameOf } from "../../src/text/tool-name-of.ts";

it.each([
  ["Order desk", "order_desk"],
  ["order_desk", "order_desk"],
  ["  Bestellungen für Ältere! ", "bestellungen_fur_altere"],
  ["24/7 Support", "agent_24_7_support"],
  ["订单", "agent_1"],
  ["__proto__", "proto"],
  ["a\u202eb", "a_b"],
  [`${"word ".repeat(12)}and more`, `${"word_".repeat(12)}and`],
])("the tool name of %j is %s", (text, name) => {
  expect(toolNameOf(text, "agent_1")).toBe(name);
});
