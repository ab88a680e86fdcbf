import {
  approvalSchema,
  type Execution,
  executionSchema,
  hasEnded,
  pageSchema,
  type ReplayRequest,
  type Scope,
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
/** How the only call of the original went. */
const HISTORIES = ["completed", "failed", "approved", "denied"] as const;
const SCOPES: readonly (readonly Scope[])[] = [
  ["executions"],
  ["executions", "approvals"],
  ["approvals"],
  ["agents", "fallback"],
];

type History = (typeof HISTORIES)[number];
type SideEffect = (typeof SIDE_EFFECTS)[number];

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

class Originals {
  readonly #world: World;
  readonly #handlers: { readonly good: Handler; readonly bad: Handler };
  readonly #made = new Map<string, Promise<string>>();

  constructor(world: World, handlers: { readonly good: Handler; readonly bad: Handler }) {
    this.#world = world;
    this.#handlers = handlers;
  }

  of(sideEffect: SideEffect, history: History): Promise<string> {
    const key = `${sideEffect} ${history}`;
    const made = this.#made.get(key) ?? this.#make(sideEffect, history);
    this.#made.set(key, made);
    return made;
  }

  async #make(sideEffect: SideEffect, history: History): Promise<string> {
    const { url } = history === "failed" ? this.#handlers.bad : this.#handlers.good;
    const asks = history === "approved" || history === "denied";
    const policy = { approval: asks ? "always" : "never" };
    const { id: agent } = await makeAgent(this.#world, { tools: [workTool(url, { sideEffect })], policy });
    if (!asks) return (await execute(this.#world, agent, calling("work"))).id;
    const id = await startAsking(this.#world, agent, calling("work"));
    await decide(this.#world, id, history === "approved" ? "approve" : "deny", this.#world.key);
    await ended(this.#world, id);
    return id;
  }
}

async function decide(world: World, executionId: string, decision: "approve" | "deny", key: string): Promise<number> {
  const { body } = await world.call("listApprovals", { query: { status: "pending" } });
  const approval = pageSchema(approvalSchema)
    .parse(body)
    .data.find((candidate) => candidate.executionId === executionId);
  return (await world.call(decision, { params: { id: approval?.id ?? "" }, body: {}, key })).status;
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
    const [good, bad] = [await startHandler(), await startHandler({ status: 422, body: undefined })];
    const originals = new Originals(world, { good, bad });
    const arrived = () => [...good.calls, ...bad.calls];
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
          const before = new Set(arrived());
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
          const left = arrived().filter((id) => !before.has(id));
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
