import { readFileSync } from "node:fs";
import { executionRoutingSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { CapabilityEntry } from "../src/capability-entry.ts";
import { chooseIntents } from "../src/choose-intents.ts";
import { decideRoute } from "../src/decide-route.ts";
import { entryOf, factsOf, gatewayEntry } from "./support.ts";

/** The capabilities of the table, by their letters. */
const CAPABILITIES: Readonly<Record<string, CapabilityEntry>> = {
  A: gatewayEntry("anthropic.web_search"),
  O: gatewayEntry("openai.web_search"),
  R: gatewayEntry("runtime.web_search"),
  // It is in the EU, needs a scope and reports no citations.
  E: entryOf({
    ...{ key: "mcp.eu_search", mode: "mcp_remote", priority: 58, regions: ["eu"], requiredScopes: ["research"] },
    target: { source: "eu", tool: "search" },
  }),
  // It is good, expensive and for public data only.
  P: entryOf({
    ...{ key: "mcp.premium_search", mode: "mcp_remote", priority: 90, costClass: "high", supportsCitations: true },
    ...{ dataClasses: ["public"], target: { source: "premium", tool: "search" } },
  }),
};
const letterOf = new Map(Object.entries(CAPABILITIES).map(([letter, { key }]) => [key, letter]));

const MODELS: Readonly<Record<string, string>> = {
  openai: "gpt-5.4",
  anthropic: "claude-opus-5",
  scripted: "turns",
};

// An independent model of the rules wrote the table; the letters of `outage` have an open circuit.
const [, ...lines] = readFileSync(new URL("./vectors/decisions.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const rows = lines.map((line) => line.split("|").map((cell) => cell.trim()));

describe("decideRoute", () => {
  it("has a table of at least 120 decisions", () => {
    expect(rows.length).toBeGreaterThanOrEqual(120);
  });

  it.each(rows)(
    "routes %s, region %s, %s data, scope %s, cost up to %s, without %s, %s answers, to %s (%s)",
    (provider = "", region, dataClass, scope = "", maxCostClass, outage = "", answer, candidates = "", refused = "") => {
      const given = (value: string | undefined) => (value === "-" ? undefined : value);
      const routing = executionRoutingSchema.parse({
        ...{ region: given(region), dataClass, maxCostClass: given(maxCostClass) },
        ...{ scopes: scope === "-" ? [] : [scope], requireCitations: answer === "cited" },
      });
      const listed = [{ name: "web.search", isRequired: false }];
      const { intents } = decideRoute({
        ...{ turn: 1, routing, isCallersChoice: false, otherTools: [] },
        model: { provider, model: MODELS[provider] ?? "" },
        choice: chooseIntents({ listed, applied: [], routing, callersChoice: undefined }),
        intents: [
          {
            ...{ name: "web.search", tool: "web_search", isRequired: false },
            capabilities: Object.entries(CAPABILITIES).map(([letter, entry]) =>
              factsOf(entry, { isCircuitOpen: outage.includes(letter) }),
            ),
          },
        ],
      });
      const [route] = intents;
      const shown = route?.candidates.map(({ key, score }) => `${letterOf.get(key)}:${score}`).join(" ");
      expect(shown === "" ? "-" : shown).toBe(candidates);
      const codes = new Map(Object.entries(route?.refused ?? {}).map(([key, code]) => [letterOf.get(key), code]));
      expect(
        [..."AOREP"].flatMap((letter) => (codes.has(letter) ? `${letter}=${codes.get(letter)}` : [])).join(" "),
      ).toBe(refused);
      expect(letterOf.get(route?.chosen ?? "") ?? "-").toBe(candidates.slice(0, 1));
    },
  );
});
