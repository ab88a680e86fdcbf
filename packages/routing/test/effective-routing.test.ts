import type { ExecutionRouting } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { effectiveRouting, type RoutingBounds } from "../src/effective-routing.ts";

describe("effectiveRouting", () => {
  it.each<[string, RoutingBounds, ExecutionRouting | undefined]>([
    ["nothing if nothing is given", {}, undefined],
    ["nothing for a key that bounds only recordings", { key: { recordings: true } }, undefined],
    ["no scope of a key without scopes", { request: { scopes: ["orders"] } }, { scopes: [] }],
    ["no scope of a key without bounds", { request: { scopes: ["orders"] }, key: null }, { scopes: [] }],
    [
      "the scopes that the key allows",
      { request: { scopes: ["orders", "hr", "orders"] }, key: { scopes: ["orders", "billing"] } },
      { scopes: ["orders"] },
    ],
    ["no scope that the request does not name", { key: { scopes: ["orders"] } }, undefined],
    ["the top-level scopes", { scopes: ["orders"], key: { scopes: ["orders"] } }, { scopes: ["orders"] }],
    ["the class of the request alone", { request: { dataClass: "public" } }, { dataClass: "public" }],
    [
      "the class of the agent, if it is stricter",
      { request: { dataClass: "public" }, agent: { dataClass: "internal" } },
      { dataClass: "internal" },
    ],
    [
      "the class of the key, if it is stricter",
      { request: { dataClass: "public" }, key: { dataClass: "confidential" } },
      { dataClass: "confidential" },
    ],
    [
      "the class of the request, if it is stricter",
      { request: { dataClass: "confidential" }, key: { dataClass: "public" }, agent: { dataClass: "internal" } },
      { dataClass: "confidential" },
    ],
    ["the region of the request", { request: { region: "us" } }, { region: "us" }],
    ["the region of the key", { request: { region: "us" }, key: { region: "eu" } }, { region: "eu" }],
    [
      "the cost class of the key, if it is lower",
      { request: { maxCostClass: "high" }, key: { maxCostClass: "low" } },
      { maxCostClass: "low" },
    ],
    [
      "the cost class of the request, if it is lower",
      { request: { maxCostClass: "low" }, key: { maxCostClass: "high" } },
      { maxCostClass: "low" },
    ],
    ["the need of citations", { request: { requireCitations: true } }, { requireCitations: true }],
    [
      "the agent's need of citations, whatever the request says",
      { request: { requireCitations: false }, agent: { requireCitations: true } },
      { requireCitations: true },
    ],
    ["the intents of the key", { key: { intents: ["web.search"] } }, { intents: ["web.search"] }],
    [
      "the intents of the request that the key allows",
      { request: { intents: ["web.search", "code.exec"] }, key: { intents: ["web.search"] } },
      { intents: ["web.search"] },
    ],
    ["no intent", { request: { intents: [] } }, { intents: [] }],
  ])("returns %s", (_name, bounds, expected) => {
    expect(effectiveRouting(bounds)).toEqual(expected);
  });
});
