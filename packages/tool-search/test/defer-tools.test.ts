import { describe, expect, it } from "vitest";
import { deferTools, definitionTokens } from "../src/defer-tools.ts";

const tools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `orders.tool_${index}`,
    description: "Does something.",
    parameters: { type: "object" },
  }));
const SETTINGS = { mode: "auto", maxTools: 40, maxTokens: 8_000, pinned: [] } as const;

describe("which tools are deferred", () => {
  it.each<[string, number, Partial<Parameters<typeof deferTools>[1]>, number | undefined]>([
    ["none within both bounds", 40, {}, undefined],
    ["all past the number of tools", 41, {}, 41],
    ["all past the tokens", 10, { maxTokens: 100 }, 10],
    ["none if search is off", 500, { mode: "off" }, undefined],
    ["all if search is always on", 2, { mode: "always" }, 2],
    ["all but the pinned ones", 41, { pinned: ["orders.tool_7", "orders.tool_3*"] }, 29],
    ["none if all are pinned", 41, { pinned: ["*"] }, undefined],
    ["none of no tools", 0, { mode: "always" }, undefined],
  ])("%s", (_what, count, change, deferred) => {
    expect(deferTools(tools(count), { ...SETTINGS, ...change })?.deferred.length).toBe(deferred);
  });

  it("keeps the order of the tools, and counts the tokens of the deferred ones", () => {
    const all = tools(41);
    const deferral = deferTools(all, { ...SETTINGS, pinned: ["orders.tool_7", "orders.tool_5"] });
    expect(deferral?.shown).toEqual(["orders.tool_5", "orders.tool_7"]);
    const sizes = all.map((tool) => (deferral?.shown.includes(tool.name) ? 0 : definitionTokens(tool)));
    expect(deferral?.deferredTokens).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });
});
