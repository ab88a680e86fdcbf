import { setTimeout as pass } from "node:timers/promises";
import type { ReceivedEvent, Script } from "@yagate/protocol";
import { expect, it } from "vitest";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories, isInterrupted, wasInterrupted } from "./call-history.ts";
import { type CountingService, startCountingService } from "./counting-service.ts";
import { BOUNDARIES, type Boundary, type Death, type Fault } from "./faults/boundaries.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { scaled } from "./scale.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
import { storedEventsOf } from "./stored-events.ts";
import { printTally, tallyOf, UNHARMED } from "./tally.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = scaled({ tests: 100, chaos: 1_000 });
const LIVES_A_BOUNDARY = scaled({ tests: 1, chaos: 6 });
const RANDOM_LIVES = scaled({ tests: 4, chaos: 34 });
const LIVES = BOUNDARIES.length * LIVES_A_BOUNDARY + RANDOM_LIVES;
/** After so many lives one is left alone until nothing is open: else all that is open goes on at each beginning. */
const CATCH_UP_EVERY = 20;
/** For at most so long a life is left alone. */
const LIFE_MS = 300;
/** A life whose boundary is not reached by then ends all the same: long enough for a busy machine. */
const LONGEST_LIFE_MS = 60_000;
const LIMIT_MS = scaled({ tests: 600_000, chaos: 2_400_000 });

/** A store under the gateway of this suite. */
export interface FaultSubject {
  readonly store: "SQLite" | "PostgreSQL";
  /** The database's URL; undefined for the gateway's own data directory. */
  createDatabase(): Promise<string | undefined>;
  /** What has to happen between two lives, so that the next one takes up what the last one has left. */
  afterDeath(databaseUrl: string | undefined): Promise<void>;
}

/** Executions while their gateway ends at every boundary, and by `kill -9` at any other moment. */
export function describeFaults({ store, createDatabase, afterDeath }: FaultSubject): void {
  it(`loses nothing and repeats nothing finished when ${store}'s gateway ends at every boundary, ${LIVES} times in all`, {
    timeout: LIMIT_MS,
  }, async () => {
    // CRASH_SEED repeats the scripts, the boundaries and the moments; what the machine makes of them it can't repeat.
    const random = createSeededRandom(process.env["CRASH_SEED"]);
    process.stdout.write(`\nCRASH_SEED=${random.seed}\n`);
    const latencies = createSeededRandom(String(random.between(0, 1_000_000)));
    const databaseUrl = await createDatabase();
    const gateway = await GatewayProcess.prepare(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl });
    const service = await startCountingService({
      secret: gateway.signingSecret,
      latencyMs: () => latencies.between(2, 120),
    });
    await gateway.start();
    const createAgent = async (tools: CountingService["tools"]) =>
      (await gateway.client.agents.create({ name: "Crash", model: "scripted/turns", tools })).id;
    const agentIds = [await createAgent(service.tools), await createAgent(service.toolsInTurn)];

    const acknowledged = new Map<string, Promise<readonly ReceivedEvent[]>>();
    const wanted = Array.from({ length: EXECUTIONS }, () => [random.pick(agentIds), randomScript(random)] as const);
    const accepting: Promise<void>[] = [];
    const accept = async (agentId: string, script: Script) => {
      const { id } = await startUntilAccepted(gateway, agentId, script);
      const following = followToEnd(gateway, id);
      // Whoever waits for it hears of its failure; until then it must not end the run.
      following.catch(() => {});
      acknowledged.set(id, following);
    };
    /** Asks for executions until there are so many in all; resolves when all are acknowledged, in whichever life. */
    const acceptUntil = async (count: number) => {
      for (const next of wanted.slice(accepting.length, Math.round(count))) accepting.push(accept(...next));
      await Promise.all(accepting);
    };
    const catchUp = async () => {
      await gateway.start();
      await Promise.all(accepting);
      await Promise.all(acknowledged.values());
      await gateway.kill();
    };
    await gateway.kill();
    for (const [index, { fault, afterMs }] of livesOf(random).entries()) {
      const count = (part: number) => (EXECUTIONS * (index + part)) / LIVES;
      const untilArmed = async () => {
        await acceptUntil(count(0.5));
        await pass(afterMs);
        // What is asked for from now on sees to it that the boundary is crossed.
        return () => void acceptUntil(count(1));
      };
      if (fault === undefined) {
        await gateway.start();
        void acceptUntil(count(1));
        await pass(afterMs);
        await gateway.kill();
      } else await gateway.liveUntil(fault, untilArmed, LONGEST_LIFE_MS);
      await afterDeath(databaseUrl);
      if (index % CATCH_UP_EVERY === CATCH_UP_EVERY - 1) await catchUp();
    }
    await gateway.start();
    await acceptUntil(EXECUTIONS);
    const streamed = new Map<string, readonly ReceivedEvent[]>();
    for (const [id, events] of acknowledged) streamed.set(id, await events);
    expect(await gateway.end("SIGTERM")).toBe(0);

    const storedEvents = await storedEventsOf(databaseUrl ?? gateway.dataDir, [...acknowledged.keys()]);
    const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
    const tally = tallyOf(storedEvents, service);
    printTally(`${LIVES} ends of a gateway on ${store}`, tally);
    const deaths = await gateway.deaths();
    process.stdout.write(`${JSON.stringify(countDeaths(deaths))}\n`);

    expect(tally).toMatchObject({ ...UNHARMED, executions: EXECUTIONS });
    expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
    expect(calls.flatMap((call) => brokenCallRules(call))).toEqual([]);
    const known = new Set(calls.map(({ id }) => id));
    expect(service.arrivals.filter(({ toolCallId }) => !known.has(toolCallId))).toEqual([]);
    // What clients were shown is what was kept.
    expect(streamed).toEqual(storedEvents);
    expect(gateway.defects).toEqual([]);

    // Else nothing was tested: every boundary was the end of a life, exactly there.
    expect(countDeaths(deaths)).toEqual(Object.fromEntries(BOUNDARIES.map((name) => [name, expect.any(Number)])));
    expect(deaths.flatMap((death) => misplaced(death, service))).toEqual([]);
    const attempts = calls.flatMap((call) => call.attempts);
    expect(attempts.filter(isInterrupted).length).toBeGreaterThan(LIVES);
    expect(calls.filter(wasInterrupted).some((call) => call.attempts.length > 1)).toBe(true);
    expect(calls.some(({ ends: [end] }) => end?.type === "tool_call.failed")).toBe(true);
  });
}

interface Life {
  /** The boundary that it ends at; undefined when it is killed at any moment. */
  readonly fault: Fault | undefined;
  /** How long it is left alone. */
  readonly afterMs: number;
}

/** Every boundary so many times, and ends by chance between them. */
function livesOf(random: SeededRandom): readonly Life[] {
  const boundaries = BOUNDARIES.flatMap((name) => Array.from({ length: LIVES_A_BOUNDARY }, () => name));
  const ends = [...boundaries, ...Array.from({ length: RANDOM_LIVES }, () => undefined)];
  return ends
    .map((boundary) => ({ boundary, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ boundary }) => ({ fault: boundary && faultAt(boundary, random), afterMs: random.between(0, LIFE_MS) }));
}

function faultAt(boundary: Boundary, random: SeededRandom): Fault {
  // Only a request crosses it, and few are made in a life.
  if (boundary.endsWith("_acceptance")) return { boundary, crossing: 1, isArmedAtOnce: false };
  return { boundary, crossing: random.between(1, 3), isArmedAtOnce: random.between(1, 4) === 1 };
}

function randomScript(random: SeededRandom): Script {
  const turns = Array.from({ length: random.between(2, 3) }, () => ({
    toolCalls: Array.from({ length: random.between(2, 4) }, () => ({
      name: random.pick(TOOLS).name,
      parameters: { amount: random.between(1, 1_000) },
    })),
  }));
  return { turns: [...turns, { text: "done" }] };
}

function countDeaths(deaths: readonly Death[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { boundary } of deaths) counts[boundary] = (counts[boundary] ?? 0) + 1;
  return counts;
}

const BEFORE_LEAVING: ReadonlySet<Death["boundary"]> = new Set(["after_intent", "before_send"]);
const AFTER_LEAVING: ReadonlySet<Death["boundary"]> = new Set([
  "after_send",
  "between_sends",
  "after_answer",
  "before_outcome",
  "after_outcome",
  "between_outcomes",
]);

/** Ends that were not where they say: what the attempt's service saw is against it. */
function misplaced({ boundary, attempts }: Death, { arrivals }: CountingService): readonly string[] {
  return attempts.flatMap(({ toolCallId, number }) => {
    const arrived = arrivals.some((each) => each.toolCallId === toolCallId && each.attempt === number);
    const isWrong = arrived ? BEFORE_LEAVING.has(boundary) : AFTER_LEAVING.has(boundary);
    return isWrong ? [`${boundary}: attempt ${number} of ${toolCallId} ${arrived ? "arrived" : "did not arrive"}`] : [];
  });
}
