import {
  attemptDetailSchema,
  pageSchema,
  redeliverySchema,
  type Scope,
  type ToolCallRecord,
  toolCallRecordSchema,
} from "@yagate/protocol";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus } from "./support/agents.ts";
import { HISTORIES, type History, SIDE_EFFECTS, type SideEffect, startEndedCalls } from "./support/ended-calls.ts";
import { startWorld } from "./support/world.ts";

const RUNS = 25;
const SCOPES: readonly (readonly Scope[])[] = [
  ["executions"],
  ["approvals"],
  ["executions", "approvals"],
  ["agents", "fallback"],
];

interface Subject {
  readonly call: ToolCallRecord;
  readonly history: History;
  readonly sideEffect: SideEffect;
}

/** The rule that the docs promise. */
function isAllowed({ history, sideEffect }: Subject, confirm: boolean, scopes: readonly Scope[]): boolean {
  if (!scopes.includes("executions") || history === "denied") return false;
  return (sideEffect === "read_only" || confirm) && (history !== "approved" || scopes.includes("approvals"));
}

function describeRules(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  it(`nothing leaves without the confirmation and the scopes that it needs ${place}`, {
    timeout: 240_000,
  }, async () => {
    const world = await startWorld({ ...(await configure()), allowSelfApproval: true });
    afterAll(() => world.stop());
    const ended = await startEndedCalls(world);
    const callOf = async (id: string) => {
      const { body } = await world.call("listToolCalls", { params: { id } });
      const [call] = pageSchema(toolCallRecordSchema).parse(body).data;
      return call ?? expect.fail("expected a call");
    };
    const keys = new Map<readonly Scope[], string>();
    for (const scopes of SCOPES) keys.set(scopes, (await world.makeKey(scopes)).text);
    const receiptOf = async (id: string) => (await world.call("getReceipt", { params: { id } })).body;

    const request = fc.record({ confirm: fc.boolean(), scopes: fc.constantFrom(...SCOPES) });
    const property = fc.asyncProperty(
      fc.constantFrom(...SIDE_EFFECTS),
      fc.constantFrom(...HISTORIES),
      fc.array(request, { minLength: 1, maxLength: 4 }),
      async (sideEffect, history, requests) => {
        const subject: Subject = { call: await callOf(await ended.of(sideEffect, history)), history, sideEffect };
        const { id, executionId } = subject.call;
        const receipt = await receiptOf(executionId);
        for (const { confirm, scopes } of requests) {
          const before = ended.arrived().length;
          const body = confirm ? { confirm: true } : {};
          const answer = await world.call("redeliverToolCall", { params: { id }, key: keys.get(scopes) ?? "", body });
          const allowed = isAllowed(subject, confirm, scopes);
          expect(ended.arrived().length - before).toBe(allowed ? 1 : 0);
          if (!allowed) {
            expect([403, 409]).toContain(answer.status);
            continue;
          }
          const { attempt, status } = redeliverySchema.parse(expectStatus(answer, 200));
          expect([status, attempt.kind]).toEqual([history === "failed" ? "failed" : "completed", "redelivery"]);
          const stored = await world.call("getAttempt", { params: { id: attempt.id } });
          expect(attemptDetailSchema.parse(stored.body)).toEqual(attempt);
        }
        expect(await receiptOf(executionId)).toEqual(receipt);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
}

describe("redelivery", () => {
  describeRules("on SQLite", async () => ({}));
  if (hasPostgres()) describeRules("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});
