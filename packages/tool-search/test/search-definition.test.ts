import { describe, expect, it } from "vitest";
import { definitionTokens } from "../src/defer-tools.ts";
import { searchDefinition } from "../src/search-definition.ts";
import { searchResult } from "../src/search-result.ts";

describe("the definition of tool_search", () => {
  it("names the namespaces with their counts, largest first, and counts the other tools", () => {
    const { description } = searchDefinition(["crm.a", "orders.a", "orders.b", "orders.c", "crm.b", "solo.x", "y"], 5);
    expect(description).toContain("7 tools");
    expect(description).toContain("Namespaces: orders (3), crm (2); without a namespace: 2");
  });

  it("stays small with many namespaces", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `namespace_${index % 500}.tool_${index}`);
    const definition = searchDefinition(names, 5);
    expect(definition.description).toContain("and 460 more namespaces");
    expect(definitionTokens(definition)).toBeLessThan(500);
  });

  it("costs about as much as one tool", () => {
    expect(definitionTokens(searchDefinition(["orders.a", "orders.b"], 5))).toBeLessThan(200);
  });
});

describe("the result of a search", () => {
  const names = ["orders.a", "orders.b", "crm.a", "crm.b"];

  it("has short descriptions", () => {
    const { tools } = searchResult({
      tools: [{ name: "a", description: "x".repeat(999) }],
      names,
    });
    expect(tools[0]?.description).toHaveLength(160);
  });

  it("says that more tools matched than can be loaded", () => {
    const tools = [{ name: "a", description: "Does a." }];
    expect(searchResult({ tools, left: 3, names }).note).toBe(
      "You can call these tools from your next turn on. 3 more matched, but no more tools can be loaded; use those that you have.",
    );
  });

  it.each([
    [undefined, "Nothing matches."],
    ["crm", "Tools of crm: crm.a, crm.b."],
    ["github", 'There is no namespace "github"; the namespaces are crm, orders.'],
  ])("says what to do if nothing matches in %s", (namespace, note) => {
    expect(searchResult({ tools: [], ...(namespace === undefined ? {} : { namespace }), names }).note).toContain(note);
  });
});
