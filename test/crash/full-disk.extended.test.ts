import { execFileSync } from "node:child_process";
import { setTimeout as pass } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import { expect, it } from "vitest";
import { findProgram } from "../services/find-program.ts";
import { followToEnd } from "./applicant.ts";
import { callHistories } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { startProbe } from "./probe.ts";
import { scaled } from "./scale.ts";
import { storedEventsOf } from "./stored-events.ts";
import { printTally, tallyOf, UNHARMED } from "./tally.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = scaled({ tests: 15, chaos: 100 });
const OUTAGE_MS = scaled({ tests: 1_000, chaos: 6_000 });
const LIMIT_MS = scaled({ tests: 120_000, chaos: 240_000 });
/** Space for the schema and a part of what the executions write. */
const MAX_BYTES = scaled({ tests: 680_000, chaos: 3_900_000 });
/** Everything in the journal lies behind this. */
const MAX_FILE_BYTES = 4_096;

/** A disk that takes no more, and then does. */
interface Shortage {
  readonly begin: (gateway: GatewayProcess) => Promise<void>;
  readonly strike: (gateway: GatewayProcess) => void;
  readonly recover: (gateway: GatewayProcess) => Promise<void>;
  /** Nothing can be written; else what only changes in its place still can. */
  readonly isWholeDisk: boolean;
}

const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
const SCRIPT = { turns: [everyTool, everyTool, everyTool, { text: "done" }] };

async function holdAgainst({ begin, strike, recover, isWholeDisk }: Shortage, subject: string): Promise<void> {
  const gateway = await GatewayProcess.prepare();
  const service = await startCountingService({ secret: gateway.signingSecret, latencyMs: () => 20 });
  await begin(gateway);
  const { client } = gateway;
  const agent = await client.agents.create({ name: "Patient", model: "scripted/turns", tools: service.tools });
  const start = async () => (await client.agents.start(agent.id, { input: "go", script: SCRIPT })).id;
  const ids = await Promise.all(Array.from({ length: EXECUTIONS }, start));
  const probe = startProbe(gateway, { agentId: agent.id, executionIds: [...ids] });

  await service.untilArrived(EXECUTIONS);
  strike(gateway);
  // Until there is no place for another one.
  const startAnother = async () => codeOf(start().then((id) => ids.push(id)));
  await expect.poll(startAnother, { timeout: 60_000 }).toBe("UNAVAILABLE");
  // A good answer is given again for a moment, and the probe may just have had one.
  if (isWholeDisk) await expect.poll(() => statusOf(`${gateway.url}/readyz`), { timeout: 5_000 }).toBe(503);
  expect(await statusOf(`${gateway.url}/healthz`)).toBe(200);
  await pass(OUTAGE_MS);
  const { untrue, acknowledged } = await probe.stop();
  const arrivedMeanwhile = service.arrivals.length;
  await recover(gateway);

  const all = [...ids, ...acknowledged];
  const streamed = await Promise.all(all.map((id) => followToEnd(gateway, id)));
  expect(await gateway.end("SIGTERM")).toBe(0);
  const storedEvents = await storedEventsOf(gateway.dataDir, all);
  const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
  const tally = tallyOf(storedEvents, service);
  printTally(subject, tally);
  expect(untrue).toEqual([]);
  expect(tally).toMatchObject(UNHARMED);
  expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
  expect(calls.flatMap((call) => brokenCallRules(call))).toEqual([]);
  expect(streamed).toEqual([...storedEvents.values()]);
  expect(service.arrivals.length).toBeGreaterThan(arrivedMeanwhile);
}

it(
  "executions pause when SQLite's file may not grow, nothing untrue is answered, and the next life goes on",
  {
    timeout: LIMIT_MS,
  },
  () =>
    holdAgainst(
      {
        begin: (gateway) => gateway.startWithShortage({ maxBytes: MAX_BYTES }),
        strike: () => {},
        isWholeDisk: false,
        async recover(gateway) {
          await gateway.kill();
          await gateway.start();
        },
      },
      "a SQLite that may not grow, and a next life",
    ),
);

it.skipIf(findProgram(["prlimit"]) === undefined)(
  "executions pause while SQLite's disk refuses writes, nothing untrue is answered, and they go on in the same life",
  { timeout: LIMIT_MS },
  () =>
    holdAgainst(
      {
        begin: (gateway) => gateway.start(),
        strike: ({ pid }) => limitFileSize(pid, String(MAX_FILE_BYTES)),
        recover: async ({ pid }) => limitFileSize(pid, "unlimited"),
        isWholeDisk: true,
      },
      "a SQLite whose disk refuses writes for a while",
    ),
);

/** Sets how large a file a process may write; the lower limit only, so that it can be lifted again. */
function limitFileSize(pid: number, bytes: string): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

function codeOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => "accepted",
    (error) => (YagateError.is(error) ? error.code : error),
  );
}
