import { type Execution, executionSchema, hasEnded, type ReplayRequest, type Scope } from "@yagate/protocol";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus } from "./support/agents.ts";
import {
  decide,
  HISTORIES,
  type History,
  SIDE_EFFECTS,
  type SideEffect,
  startEndedCalls,
} from "./support/ended-calls.ts";
import { startWorld, type World } from "./support/world.ts";

const RUNS = 25;
const SCOPES: readonly (readonly Scope[])[] = [
  ["executions"],
  ["executions", "approvals"],
  ["approvals"],
  ["agents", "fallback"],
];

interface Attempted {
  readonly request: ReplayRequest;
  readonly scopes: readonly Scope[];
  /** Whether the same key then approves the call, if the replay asks for it. */
  readonly approves: boolean;
}

/** How many calls leave the gateway, by the rule that the docs promise. */
function expectedCalls(
  sideEffect: SideEffect,
  history: History,
  { request: { toolMode, fromTurn = 1, confirm }, scopes, approves }: Attempted,
): number {
  if (!scopes.includes("executions")) return 0;
  // The call is in the first model turn, so it is copied for a later one.
  if (toolMode !== "live" || fromTurn > 1) return 0;
  if (sideEffect !== "read_only" && confirm !== true) return 0;
  const asks = history === "approved" || history === "denied";
  return asks && !(approves && scopes.includes("approvals")) ? 0 : 1;
}

/** Waits until an execution has ended or waits for a person. */
async function settled(world: World, id: string): Promise<Execution> {
  const read = async () => executionSchema.parse((await world.call("getExecution", { params: { id } })).body);
  const isSettled = ({ status }: Execution) => hasEnded(status) || status === "waiting";
  await expect.poll(async () => isSettled(await read()), { timeout: 20_000, interval: 20 }).toBe(true);
  return read();
}

async function ended(world: World, id: string): Promise<void> {
  const isOver = async () => hasEnded((await settled(world, id)).status);
  await expect.poll(isOver, { timeout: 20_000, interval: 20 }).toBe(true);
}

function describeRules(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  it(`no write leaves without the confirmation and the scopes that it needs ${place}`, {
    timeout: 240_000,
  }, async () => {
    const world = await startWorld({ ...(await configure()), allowSelfApproval: true });
    afterAll(() => world.stop());
    const originals = await startEndedCalls(world);
    const keys = new Map<readonly Scope[], string>();
    for (const scopes of SCOPES) keys.set(scopes, (await world.makeKey(scopes)).text);

    const request = fc.record(
      {
        toolMode: fc.constantFrom("recorded" as const, "live" as const, "live" as const),
        fromTurn: fc.constantFrom(1, 1, 2),
        confirm: fc.constant(true as const),
      },
      { requiredKeys: ["toolMode"] },
    );
    const attempted: fc.Arbitrary<Attempted> = fc.record({
      request,
      scopes: fc.constantFrom(...SCOPES),
      approves: fc.boolean(),
    });
    const property = fc.asyncProperty(
      fc.constantFrom(...SIDE_EFFECTS),
      fc.constantFrom(...HISTORIES),
      fc.array(attempted, { minLength: 1, maxLength: 4 }),
      async (sideEffect, history, attempts) => {
        const original = await originals.of(sideEffect, history);
        for (const attempt of attempts) {
          const before = new Set(originals.arrived());
          const key = keys.get(attempt.scopes) ?? "";
          const call = { params: { id: original }, body: attempt.request, key };
          const answer = await world.call("replayExecution", call);
          if (answer.status === 201) {
            const { id } = executionSchema.parse(answer.body);
            const { status } = await settled(world, id);
            if (status === "waiting" && attempt.approves) {
              expect(await decide(world, id, "approve", key)).toBe(attempt.scopes.includes("approvals") ? 200 : 403);
            }
            if (status === "waiting" && !(attempt.approves && attempt.scopes.includes("approvals"))) {
              expectStatus(await world.call("cancelExecution", { params: { id } }), 202);
            }
            await ended(world, id);
          } else {
            expect([403, 409]).toContain(answer.status);
          }
          // Every call has an id of its own, so a handler runs it.
          const left = originals.arrived().filter((id) => !before.has(id));
          expect(left).toHaveLength(expectedCalls(sideEffect, history, attempt));
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
}

describe("replay", () => {
  describeRules("on SQLite", async () => ({}));
  if (hasPostgres()) describeRules("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});
