import { setTimeout as pass } from "node:timers/promises";
import type { ReceivedEvent } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../packages/store/test/support/execute.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories, wasInterrupted } from "./call-history.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import { openReplicas } from "./replicas.ts";
import { isChaos, scaled } from "./scale.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { storedEventsOf } from "./stored-events.ts";
import { printTally, tallyOf, UNHARMED } from "./tally.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const FREEZES = scaled({ tests: 1, chaos: 5 });
/** A replica is killed every so often, as long as the freezes last. */
const KILL_EVERY_MS = { least: 2_000, most: 4_000 } as const;
/** Each round begins with so many executions on each replica; then one of them is frozen. */
const EXECUTIONS_EACH = scaled({ tests: 8, chaos: 60 });
/** A replica that died or is frozen has its executions go on elsewhere within 15 s; later on a busy machine. */
const TAKEOVER_MS = 45_000;
const LIMIT_MS = scaled({ tests: 180_000, chaos: 900_000 });

describe.skipIf(!hasPostgres())("three replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("lose and repeat nothing while one is killed every few seconds and one is frozen and thawed", {
    timeout: LIMIT_MS,
  }, async () => {
    const random = createSeededRandom(process.env["CRASH_SEED"]);
    process.stdout.write(`\nCRASH_SEED=${random.seed}\n`);
    const latencies = createSeededRandom(String(random.between(0, 1_000_000)));
    const latencyMs = () => latencies.between(5, 80);
    const { databaseUrl, replicas, service, agentId } = await openReplicas(server, { latencyMs });
    const [killed, frozen, survivor] = replicas;
    const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
    const script = { turns: [everyTool, everyTool, everyTool, { text: "done" }] };
    const followed = new Map<string, Promise<readonly ReceivedEvent[]>>();
    let startedOnFrozen: string[] = [];
    const accept = async (replica: GatewayProcess) => {
      const { id } = await startUntilAccepted(replica, agentId, script);
      if (replica === frozen) startedOnFrozen.push(id);
      const following = followToEnd(survivor, id);
      // Whoever waits for it hears of its failure; until then it must not end the run.
      following.catch(() => {});
      followed.set(id, following);
    };

    let isOver = false;
    let kills = 0;
    const killing = async () => {
      while (!isOver) {
        await pass(random.between(0, KILL_EVERY_MS.most - KILL_EVERY_MS.least));
        await killed.kill();
        kills += 1;
        await killed.start();
        await pass(KILL_EVERY_MS.least);
      }
    };
    let killer: Promise<void> | undefined;
    for (let freeze = 0; freeze < FREEZES; freeze += 1) {
      startedOnFrozen = [];
      const arrivedBefore = service.arrivals.length;
      const owners = replicas.flatMap((replica) => Array.from({ length: EXECUTIONS_EACH }, () => replica));
      const accepting = Promise.all(owners.map(accept));
      await service.untilArrived(arrivedBefore + (owners.length * TOOLS.length) / 2);
      frozen.signal("SIGSTOP");
      killer ??= killing();
      await untilTakenOver(databaseUrl, startedOnFrozen);
      frozen.signal("SIGCONT");
      // Those that were being asked for when it froze are answered now.
      await accepting;
    }
    isOver = true;
    await killer;
    const streamed = new Map<string, readonly ReceivedEvent[]>();
    for (const [id, events] of followed) streamed.set(id, await events);
    for (const replica of replicas) expect(await replica.end("SIGTERM")).toBe(0);

    const storedEvents = await storedEventsOf(databaseUrl, [...followed.keys()]);
    const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
    const tally = tallyOf(storedEvents, service);
    printTally(`three replicas on PostgreSQL, ${kills} kills, ${FREEZES} freezes`, tally);
    expect(tally).toMatchObject({ ...UNHARMED, executions: FREEZES * EXECUTIONS_EACH * replicas.length });
    expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
    expect(calls.flatMap((call) => brokenCallRules(call, { mayNeverLeave: true }))).toEqual([]);
    expect(streamed).toEqual(storedEvents);
    expect(kills).toBeGreaterThan(isChaos ? FREEZES : 0);
    expect(calls.filter(wasInterrupted).length).toBeGreaterThan(0);
    expect(replicas.flatMap(({ defects }) => defects)).toEqual([]);
  });
});

/** Resolves when no execution is left to whoever has these, who does not renew any more. */
async function untilTakenOver(databaseUrl: string, executionIds: readonly string[]): Promise<void> {
  const owners = await execute<{ owner: string }>(
    databaseUrl,
    "SELECT DISTINCT owner FROM executions WHERE is_open = 1 AND id = ANY($1::text[])",
    [executionIds],
  );
  expect(owners).toHaveLength(1);
  const countLeft = async () => {
    const left = await execute(databaseUrl, "SELECT 1 FROM executions WHERE is_open = 1 AND owner = $1", [
      owners[0]?.owner,
    ]);
    return left.length;
  };
  await expect.poll(countLeft, { timeout: TAKEOVER_MS, interval: 200 }).toBe(0);
}
