import {
  COST_CLASSES,
  DATA_CLASSES,
  type ExecutionRouting,
  type KeyRouting,
  routeDecisionSchema,
} from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedDecision, MAX_DECISION_BYTES } from "../src/bounded-decision.ts";
import { chooseIntents } from "../src/choose-intents.ts";
import { decideRoute, type RouteQuestion } from "../src/decide-route.ts";
import { effectiveRouting } from "../src/effective-routing.ts";
import { recomputeRoute } from "../src/recompute-route.ts";
import { type CapabilityFacts, refusalOf } from "../src/refusal-of.ts";
import { entryOf, factsOf } from "./support.ts";

const INTENTS = ["web.search", "url.fetch", "code.exec", "business.order.query"];
const WORDS = ["orders", "billing", "research"];
const REGIONS = ["eu", "us"];

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const some = (words: readonly string[]) => fc.subarray([...words]);

const routingArbitrary: fc.Arbitrary<ExecutionRouting> = fc.record(
  {
    scopes: some(WORDS),
    dataClass: fc.constantFrom(...DATA_CLASSES),
    region: fc.constantFrom(...REGIONS),
    maxCostClass: fc.constantFrom(...COST_CLASSES),
    requireCitations: fc.boolean(),
    intents: some(INTENTS),
  },
  { requiredKeys: [] },
);
const keyArbitrary: fc.Arbitrary<KeyRouting | null> = fc.option(
  fc.record(
    {
      scopes: some(WORDS),
      dataClass: fc.constantFrom(...DATA_CLASSES),
      region: fc.constantFrom(...REGIONS),
      maxCostClass: fc.constantFrom(...COST_CLASSES),
      intents: some(INTENTS),
    },
    { requiredKeys: [] },
  ),
);

const factsArbitrary: fc.Arbitrary<CapabilityFacts> = fc
  .record({
    key: fc.integer({ min: 0, max: 9_999 }),
    mode: fc.constantFrom("provider_hosted" as const, "runtime_function" as const, "mcp_remote" as const),
    providers: some(["openai", "anthropic"]),
    modelPatterns: fc.constantFrom([], ["gpt-*"], ["claude-*"]),
    priority: fc.integer({ min: 0, max: 100 }),
    costClass: fc.constantFrom(...COST_CLASSES),
    supportsCitations: fc.boolean(),
    requiredScopes: some(WORDS),
    regions: some(REGIONS),
    dataClasses: fc.subarray([...DATA_CLASSES]),
    enabled: fc.boolean(),
    isAvailable: fc.boolean(),
    isConfigured: fc.boolean(),
    isAllowed: fc.boolean(),
    isCircuitOpen: fc.boolean(),
    hasFailed: fc.boolean(),
  })
  .map(({ key, isAvailable, isConfigured, isAllowed, isCircuitOpen, hasFailed, ...entry }) =>
    factsOf(entryOf({ key: `capability.${key}`, ...entry }), {
      ...{ isAvailable, isConfigured, isAllowed, isCircuitOpen, hasFailed },
    }),
  );

const questionArbitrary: fc.Arbitrary<RouteQuestion> = fc
  .record({
    turn: fc.integer({ min: 1, max: 20 }),
    model: fc.record({ provider: fc.constantFrom("openai", "anthropic"), model: fc.constantFrom("gpt-5", "claude-4") }),
    routing: routingArbitrary,
    applied: fc.array(
      fc.record(
        {
          name: fc.string({ maxLength: 20 }),
          intents: some(INTENTS),
          toolChoice: fc.constantFrom("auto" as const, "required" as const, "forbidden" as const),
          strict: fc.constant(true),
        },
        { requiredKeys: ["name", "intents"] },
      ),
      { maxLength: 4 },
    ),
    callersChoice: optional(fc.constantFrom("auto" as const, "required" as const, "forbidden" as const)),
    intents: fc.subarray(INTENTS).chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.record({
            ...{ name: fc.constant(name), tool: fc.constant(name.replaceAll(".", "_")), isRequired: fc.boolean() },
            capabilities: fc.uniqueArray(factsArbitrary, { maxLength: 8, selector: ({ entry }) => entry.key }),
          }),
        ),
      ),
    ),
    otherTools: some(["lookup_order", "cancel_order"]),
  })
  .map(({ applied, callersChoice, ...question }) => ({
    ...question,
    isCallersChoice: callersChoice !== undefined,
    choice: chooseIntents({ listed: question.intents, applied, routing: question.routing, callersChoice }),
  }));

describe("any decision", () => {
  it("chooses no capability that a filter refuses, and the best of the others", () => {
    fc.assert(
      fc.property(questionArbitrary, (question) => {
        for (const [index, route] of decideRoute(question).intents.entries()) {
          const { capabilities = [] } = question.intents[index] ?? {};
          const served = capabilities.filter(
            (facts) => refusalOf(facts, question.routing, question.model) === undefined,
          );
          expect(route.candidates.map(({ key }) => key).toSorted()).toEqual(
            served.map(({ entry }) => entry.key).toSorted(),
          );
          expect(Object.keys(route.refused)).toHaveLength(capabilities.length - served.length);
          if (route.chosen === null) continue;
          const best = Math.max(...route.candidates.map(({ score }) => score));
          expect(route.candidates.find(({ key }) => key === route.chosen)?.score).toBe(best);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("can be computed again from its event alone", () => {
    fc.assert(
      fc.property(questionArbitrary, (question) => {
        const event = JSON.stringify(boundedDecision(decideRoute(question)));
        const recorded = routeDecisionSchema.parse(JSON.parse(event));
        expect(recomputeRoute(recorded)).toEqual(recorded);
        for (const [index, route] of recorded.intents.entries()) {
          const changed = { ...route, chosen: "capability.forged" };
          const forged = { ...recorded, intents: recorded.intents.with(index, changed) };
          expect(recomputeRoute(forged)).not.toEqual(forged);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("has at most 16 KiB as an event, however many capabilities there are", () => {
    const capabilities = Array.from({ length: 500 }, (_, index) =>
      factsOf(entryOf({ key: `capability.${"x".repeat(80)}${index}`, enabled: index % 2 === 0 })),
    );
    const names = Array.from({ length: 128 }, (_, index) => `business.${"y".repeat(40)}${index}`);
    const routing: ExecutionRouting = {
      scopes: Array.from({ length: 100 }, (_, index) => `${"z".repeat(90)}${index}`),
    };
    for (const count of [1, 5, 32, 128]) {
      const intents = names.slice(0, count).map((name) => ({ name, tool: name, isRequired: false, capabilities }));
      const decision = decideRoute({
        ...{ turn: 1, model: { provider: "openai", model: "gpt-5" }, routing, isCallersChoice: false, otherTools: [] },
        ...{ intents, choice: chooseIntents({ listed: intents, applied: [], routing, callersChoice: undefined }) },
      });
      expect(Buffer.byteLength(JSON.stringify(boundedDecision(decision)))).toBeLessThanOrEqual(MAX_DECISION_BYTES);
    }
  });
});

describe("any caller", () => {
  it("gets nothing that its key does not allow", () => {
    fc.assert(
      fc.property(routingArbitrary, keyArbitrary, routingArbitrary, factsArbitrary, (request, key, agent, facts) => {
        const routing = effectiveRouting({ request, key, agent }) ?? {};
        const bounds = key ?? {};
        for (const scope of routing.scopes ?? []) expect(bounds.scopes ?? []).toContain(scope);
        if (bounds.region !== undefined) expect(routing.region).toBe(bounds.region);
        if (bounds.intents !== undefined) {
          for (const intent of routing.intents ?? INTENTS) expect(bounds.intents).toContain(intent);
        }
        const rank = (order: readonly string[], word: string | undefined) => order.indexOf(word ?? "");
        if (bounds.maxCostClass !== undefined) {
          expect(rank(COST_CLASSES, routing.maxCostClass)).toBeLessThanOrEqual(rank(COST_CLASSES, bounds.maxCostClass));
          expect(routing.maxCostClass).toBeDefined();
        }
        for (const declared of [bounds.dataClass, agent.dataClass, request.dataClass]) {
          expect(rank(DATA_CLASSES, routing.dataClass)).toBeGreaterThanOrEqual(rank(DATA_CLASSES, declared));
        }
        // What the bounded request may use, the key's bounds alone allow too.
        const model = { provider: "openai", model: "gpt-5" };
        const widest = { ...bounds, dataClass: routing.dataClass, region: routing.region };
        if (refusalOf(facts, routing, model) === undefined) {
          expect(refusalOf(facts, JSON.parse(JSON.stringify(widest)), model)).toBeUndefined();
        }
      }),
      { numRuns: 500 },
    );
  });
});
