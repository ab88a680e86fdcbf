import {
  approvalSchema,
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
import { calling, execute, expectStatus, makeAgent, startAsking } from "./support/agents.ts";
import { type Handler, startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

const RUNS = 25;
const SIDE_EFFECTS = ["read_only", "idempotent_write", "non_idempotent_write", "destructive", undefined] as const;
/** How the call went before it is redelivered. */
const HISTORIES = ["completed", "failed", "approved", "denied"] as const;
const SCOPES: readonly (readonly Scope[])[] = [
  ["executions"],
  ["approvals"],
  ["executions", "approvals"],
  ["agents", "fallback"],
];

interface Subject {
  readonly call: ToolCallRecord;
  readonly history: (typeof HISTORIES)[number];
  readonly sideEffect: (typeof SIDE_EFFECTS)[number];
}

/** The rule that the docs promise. */
function isAllowed({ history, sideEffect }: Subject, confirm: boolean, scopes: readonly Scope[]): boolean {
  if (!scopes.includes("executions") || history === "denied") return false;
  return (sideEffect === "read_only" || confirm) && (history !== "approved" || scopes.includes("approvals"));
}

/** Makes each subject once. */
class Subjects {
  readonly #world: World;
  readonly #handlers: { readonly good: Handler; readonly bad: Handler };
  readonly #made = new Map<string, Promise<Subject>>();

  constructor(world: World, handlers: { readonly good: Handler; readonly bad: Handler }) {
    this.#world = world;
    this.#handlers = handlers;
  }

  of(sideEffect: Subject["sideEffect"], history: Subject["history"]): Promise<Subject> {
    const key = `${sideEffect} ${history}`;
    const made = this.#made.get(key) ?? this.#make(sideEffect, history);
    this.#made.set(key, made);
    return made;
  }

  async #make(sideEffect: Subject["sideEffect"], history: Subject["history"]): Promise<Subject> {
    const { url } = history === "failed" ? this.#handlers.bad : this.#handlers.good;
    const asks = history === "approved" || history === "denied";
    const policy = { approval: asks ? "always" : "never" };
    const { id: agent } = await makeAgent(this.#world, { tools: [workTool(url, { sideEffect })], policy });
    const id = asks
      ? await this.#ask(agent, history === "approved" ? "approve" : "deny")
      : (await execute(this.#world, agent, calling("work"))).id;
    const { body } = await this.#world.call("listToolCalls", { params: { id } });
    const [call] = pageSchema(toolCallRecordSchema).parse(body).data;
    return { call: call ?? expect.fail("expected a call"), history, sideEffect };
  }

  async #ask(agent: string, decision: "approve" | "deny"): Promise<string> {
    const id = await startAsking(this.#world, agent, calling("work"));
    const { body } = await this.#world.call("listApprovals", { query: { status: "pending" } });
    const approval = pageSchema(approvalSchema)
      .parse(body)
      .data.find(({ executionId }) => executionId === id);
    expectStatus(await this.#world.call(decision, { params: { id: approval?.id ?? "" }, body: {} }), 200);
    const statusOf = async () => (await this.#world.call("getExecution", { params: { id } })).body;
    await expect.poll(statusOf, { timeout: 20_000 }).toMatchObject({ status: "completed" });
    return id;
  }
}

function describeRules(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  it(`nothing leaves without the confirmation and the scopes that it needs ${place}`, {
    timeout: 240_000,
  }, async () => {
    const world = await startWorld({ ...(await configure()), allowSelfApproval: true });
    afterAll(() => world.stop());
    const [good, bad] = [await startHandler(), await startHandler({ status: 422, body: undefined })];
    const subjects = new Subjects(world, { good, bad });
    const arrived = () => [...good.calls, ...bad.calls];
    const keys = new Map<readonly Scope[], string>();
    for (const scopes of SCOPES) keys.set(scopes, (await world.makeKey(scopes)).text);
    const receiptOf = async (id: string) => (await world.call("getReceipt", { params: { id } })).body;

    const request = fc.record({ confirm: fc.boolean(), scopes: fc.constantFrom(...SCOPES) });
    const property = fc.asyncProperty(
      fc.constantFrom(...SIDE_EFFECTS),
      fc.constantFrom(...HISTORIES),
      fc.array(request, { minLength: 1, maxLength: 4 }),
      async (sideEffect, history, requests) => {
        const subject = await subjects.of(sideEffect, history);
        const { id, executionId } = subject.call;
        const receipt = await receiptOf(executionId);
        for (const { confirm, scopes } of requests) {
          const before = arrived().length;
          const body = confirm ? { confirm: true } : {};
          const answer = await world.call("redeliverToolCall", { params: { id }, key: keys.get(scopes) ?? "", body });
          const allowed = isAllowed(subject, confirm, scopes);
          expect(arrived().length - before).toBe(allowed ? 1 : 0);
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
