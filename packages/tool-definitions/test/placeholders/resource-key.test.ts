import type { JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { parseResourceKey } from "../../src/placeholders/resource-key.ts";

const DOLLAR = "$";

describe("a resource key", () => {
  it.each<[string, JsonValue, string | undefined]>([
    ["ledger", {}, "ledger"],
    [`order:${DOLLAR}{id}`, { id: "A-1" }, "order:A-1"],
    [`${DOLLAR}{shop}/${DOLLAR}{id}`, { shop: "north", id: 7 }, "north/7"],
    [`${DOLLAR}{id}`, { id: "7" }, "7"],
    [`${DOLLAR}{id}`, { id: false }, "false"],
    [`${DOLLAR}{id}`, { id: null }, undefined],
    [`${DOLLAR}{id}`, { id: { b: 1, a: 2 } }, '{"a":2,"b":1}'],
    [`${DOLLAR}{id}`, { id: ["\ud800"] }, undefined],
    [`${DOLLAR}{id}`, { id: { no: [1, true] } }, '{"no":[1,true]}'],
    [`${DOLLAR}${DOLLAR}{id} costs 5${DOLLAR}`, {}, `${DOLLAR}{id} costs 5${DOLLAR}`],
    [`order:${DOLLAR}{id}`, {}, undefined],
    [`order:${DOLLAR}{constructor}`, {}, undefined],
    [`order:${DOLLAR}{id}`, ["id"], undefined],
    [`order:${DOLLAR}{id}`, { id: "\ud800" }, "order:\ud800"],
  ])("%s of %j is %j", (template, values, key) => {
    expect(parseResourceKey(template)?.render(values)).toBe(key);
  });

  it.each([
    `${DOLLAR}{}`,
    `${DOLLAR}{id`,
    `${DOLLAR}{a.b}`,
    `${DOLLAR}{a${DOLLAR}{b}}`,
    `${DOLLAR}{a:-x}`,
    `${DOLLAR}{a b}`,
  ])("%s is no template", (template) => {
    expect(parseResourceKey(template)).toBeUndefined();
  });
});
