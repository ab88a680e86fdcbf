import { defineTool } from "@yagate/handler";
import type { ReceivedEvent, SideEffect } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { startRawService, startService } from "../e2e/support/services.ts";
import { freePort } from "../services/free-port.ts";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { isOf } from "./call-history.ts";
import type { Boundary } from "./faults/boundaries.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { letLeasesLapse } from "./lapsed-leases.ts";
import { storedEventsOf } from "./stored-events.ts";

const PARAMETERS = {
  type: "object" as const,
  properties: { orderId: { type: "string" as const } },
  required: ["orderId"],
  additionalProperties: false,
};
const LONGEST_LIFE_MS = 60_000;

/** A moment at which the gateway ends: a boundary, and the number of the attempt that crosses it. */
type Moment = readonly [boundary: Boundary, attempt: number];

/** What must have become of the call after the restart. */
interface Outcome {
  /** The capabilities to which it has moved. */
  readonly moves: readonly string[];
  /** The code with which it failed; null if it completed. */
  readonly code: string | null;
  /** The numbers of the attempts that arrived at the second capability, and how often its function ran. */
  readonly arrived: readonly number[];
  readonly runs: number;
  /** How many requests the third capability received. */
  readonly elsewhere: number;
}

const moved = { moves: ["shop.b"], code: null, arrived: [2], runs: 1, elsewhere: 0 };
const unknown = { ...moved, code: "OUTCOME_UNKNOWN" };
/** The first attempt is that of the first capability, which is out; the second is that of the next one. */
const CASES: readonly (readonly [SideEffect, Moment, Outcome])[] = [
  // Nothing says yet how the first attempt ended.
  ["read_only", ["before_outcome", 1], { ...moved, arrived: [3] }],
  // One commit holds `route.changed` and the next attempt, of which nothing has left.
  ["read_only", ["after_intent", 2], { ...moved, arrived: [3] }],
  ["read_only", ["before_send", 2], { ...moved, arrived: [3] }],
  ["read_only", ["after_send", 2], { ...moved, arrived: [2, 3] }],
  ["read_only", ["before_outcome", 2], { ...moved, arrived: [2, 3] }],
  ["read_only", ["after_outcome", 2], moved],
  ["idempotent_write", ["after_intent", 2], { ...moved, arrived: [3] }],
  ["idempotent_write", ["after_send", 2], { ...moved, arrived: [2, 3] }],
  // A write is not repeated, and does not move on, once its request may have left.
  ["non_idempotent_write", ["before_outcome", 1], { ...unknown, moves: [], arrived: [], runs: 0 }],
  ["non_idempotent_write", ["after_intent", 2], { ...unknown, arrived: [], runs: 0 }],
  ["non_idempotent_write", ["before_send", 2], { ...unknown, arrived: [], runs: 0 }],
  ["non_idempotent_write", ["after_send", 2], unknown],
  ["non_idempotent_write", ["before_outcome", 2], unknown],
  ["non_idempotent_write", ["after_outcome", 2], moved],
];

const SIDE_EFFECTS = [...new Set(CASES.map(([sideEffect]) => sideEffect))];
const intentOf = (sideEffect: SideEffect) => `business.${sideEffect}`;
/** The capabilities of an intent, in their order. */
const KEYS = ["shop.a", "shop.b", "shop.c"] as const;
const toolOf = (sideEffect: SideEffect, key: string) => `${sideEffect}_${key.replace(".", "_")}`;

/** The services of the three capabilities: one that is out, one that works, and one that is not needed. */
async function startShop(secret: string) {
  const runs: string[] = [];
  const tools = SIDE_EFFECTS.map((sideEffect) =>
    defineTool({
      ...{ name: toolOf(sideEffect, KEYS[1]), description: "Works on an order.", parameters: PARAMETERS },
      execute(_parameters, { toolCallId }) {
        runs.push(toolCallId);
        return { done: toolCallId };
      },
    }),
  );
  const kit = await startService(secret, tools);
  const arrived: number[] = [];
  // Counts what arrives, and passes it on to the kit as it is.
  const working = await startRawService(async (response, { headers, body }) => {
    arrived.push(JSON.parse(body.toString()).attempt);
    const signed = { "content-type": "application/json", "x-ya-signature": headers["x-ya-signature"] ?? "" };
    const answer = await fetch(kit, { method: "POST", headers: signed, body: new Uint8Array(body) });
    response.status(answer.status).json(await answer.json());
  });
  const failing = await startRawService((response) => void response.status(503).end());
  const spare = await startRawService((response) => void response.json({ result: "from the third" }));
  const unreachable = `http://127.0.0.1:${await freePort()}/tools`;
  return {
    /** A read moves although its capability answered; a write moves only because nothing listens. */
    handlersOf: (sideEffect: SideEffect) =>
      [sideEffect === "read_only" ? failing.url : unreachable, working.url, spare.url] as const,
    arrived,
    runs,
    elsewhere: spare.calls,
  };
}

type Shop = Awaited<ReturnType<typeof startShop>>;

/** Makes an agent with an intent that the three services serve, in their order. */
async function makeAgent({ client }: GatewayProcess, shop: Shop, sideEffect: SideEffect): Promise<string> {
  const intent = intentOf(sideEffect);
  const described = { description: "Works on an order.", parameters: PARAMETERS };
  await client.intents.create({ name: intent, ...described });
  for (const [index, handler] of shop.handlersOf(sideEffect).entries()) {
    const key = KEYS[index] ?? "";
    const definition = { ...described, name: toolOf(sideEffect, key), handler, sideEffect };
    const tool = await client.tools.create({ definition });
    await client.capabilities.create({
      ...{ key: `${sideEffect}.${key}`, intent, mode: "runtime_function", target: { tool: tool.id } },
      priority: 90 - 10 * index,
    });
  }
  const tools = [{ intent }];
  const agent = { name: sideEffect, model: "scripted/turns", tools, policy: { approval: "never" } } as const;
  return (await client.agents.create(agent)).id;
}

/** How the call of an execution ended, by the log. */
function endOf(events: readonly ReceivedEvent[]): Pick<Outcome, "moves" | "code"> {
  expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  const ends = [...events.filter(isOf("tool_call.completed")), ...events.filter(isOf("tool_call.failed"))];
  expect(ends).toHaveLength(1);
  const [end] = ends;
  const moves = events.filter(isOf("route.changed")).map(({ to }) => to.key.slice(to.key.indexOf(".") + 1));
  return { moves, code: end?.type === "tool_call.failed" ? end.error.code : null };
}

const STORES: readonly [string, () => Promise<Readonly<Record<string, string>>>][] = [
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ DATABASE_URL: await createMigratedDatabase() })],
];

describe.each(STORES)("a call whose capability is out, on %s", (store, environmentOf) => {
  it.skipIf(store === "PostgreSQL" && !hasPostgres()).each(SIDE_EFFECTS)(
    "with the side effect %s is neither lost nor written twice when the gateway is killed while the call moves",
    { timeout: 900_000 },
    async (sideEffect) => {
      const cases = CASES.filter(([each]) => each === sideEffect);
      const environment = await environmentOf();
      const gateway = await GatewayProcess.prepare(environment);
      const shop = await startShop(gateway.signingSecret);
      await gateway.start();
      const agentId = await makeAgent(gateway, shop, sideEffect);
      await gateway.kill();

      const streamed = new Map<string, readonly ReceivedEvent[]>();
      for (const [, [boundary, attempt], wanted] of cases) {
        const before = { arrived: shop.arrived.length, runs: shop.runs.length, elsewhere: shop.elsewhere.length };
        const parameters = { orderId: "ORD-7" };
        const toolCalls = [{ name: intentOf(sideEffect).replace(".", "_"), parameters }];
        const script = { turns: [{ toolCalls }, { text: "done" }] };
        const accepted = Promise.withResolvers<string>();
        const ask = () => {
          const starting = startUntilAccepted(gateway, agentId, script);
          starting.then(({ id }) => accepted.resolve(id), accepted.reject);
        };
        const fault = { boundary, attempt, crossing: 1, isArmedAtOnce: false };
        await gateway.liveUntil(fault, async () => ask, LONGEST_LIFE_MS);
        await letLeasesLapse(environment["DATABASE_URL"]);
        await gateway.start();
        const id = await accepted.promise;
        const events = await followToEnd(gateway, id);
        streamed.set(id, events);
        const outcome: Outcome = {
          ...endOf(events),
          arrived: shop.arrived.slice(before.arrived),
          runs: shop.runs.length - before.runs,
          elsewhere: shop.elsewhere.length - before.elsewhere,
        };
        expect({ boundary, attempt, ...outcome }).toEqual({ boundary, attempt, ...wanted });
        await gateway.kill();
      }
      // Each life ended exactly where it was to end.
      const deaths = await gateway.deaths();
      expect(deaths.map(({ boundary, attempts }) => [boundary, attempts[0]?.number])).toEqual(
        cases.map(([, moment]) => moment),
      );
      // Clients were shown what is stored.
      const place = environment["DATABASE_URL"] ?? gateway.dataDir;
      expect(await storedEventsOf(place, [...streamed.keys()])).toEqual(streamed);
      expect(gateway.defects).toEqual([]);
    },
  );
});
