import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { GatewayConfig } from "@yagate/gateway";
import { generateSigningSecret } from "@yagate/protocol";
import { messageOf, startDriver } from "../driver.ts";
import type { Held } from "./gateway-server.ts";
import { growthOf, type Sample } from "./growth.ts";
import type { Tally, Target } from "./traffic.ts";

const USERS = 48;
const SAMPLES = 60;
const REHEARSAL_MS = 10_000;
/** Code is compiled and caches fill at first. */
const WARM_UP_SHARE = 1 / 3;
/** By then, abandoned work has ended and idle connections to handlers are closed. */
const SETTLE_MS = 20_000;
/** Maximum heap growth per scene: an id alone takes 48 bytes, and its entry in a map 24 more. */
const MAX_HEAP_BYTES_EACH = 64;
/** Resident memory moves in large steps, since the allocator keeps what the heap gives back. */
const MAX_RSS_GROWTH = 0.1;

interface Observation {
  readonly scenes: number;
  readonly held: Held;
}

/**
 * Runs a gateway under mixed traffic, most of which fails in some way, and reports whether the gateway leaks anything.
 *
 * @param minutes - how long; too short a run ends with an interval that is too wide, and so fails.
 * @returns whether it passed.
 */
export async function runSoak(minutes: number): Promise<boolean> {
  const service = startDriver(new URL("service-server.ts", import.meta.url));
  const { url: serviceUrl, paths } = await messageOf<{ url: string; paths: readonly string[] }>(service);
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-soak-"));
  const apiKey = `yk_soak_${randomBytes(16).toString("hex")}`;
  const config: GatewayConfig = {
    port: 0,
    dataDir,
    apiKey,
    signingSecret: generateSigningSecret(),
    allowCidrs: ["127.0.0.0/8"],
  };
  const gateway = startDriver(new URL("gateway-server.ts", import.meta.url), [JSON.stringify(config)], ["--expose-gc"]);
  const held = () => ask<Held>(gateway, "sample");
  try {
    const { url: gatewayUrl } = await messageOf<{ url: string }>(gateway);
    const target = { gatewayUrl, apiKey, serviceUrl, paths };
    // Resources that the first call opens stay open, so the gateway does some work before the first sample.
    const rehearsal = await startTraffic(target);
    await sleep(REHEARSAL_MS);
    await ask<Tally>(rehearsal, "stop");
    await sleep(SETTLE_MS);
    const before = await held();
    const traffic = await startTraffic(target);
    const observations: Observation[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      await sleep((minutes * 60_000) / SAMPLES);
      observations.push({ scenes: count(await ask<Tally>(traffic, "tally")), held: await held() });
    }
    const tally = await ask<Tally>(traffic, "stop");
    await sleep(SETTLE_MS);
    return print({ minutes, tally, observations, before, after: await held() });
  } finally {
    gateway.kill();
    service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startTraffic(target: Target): Promise<ChildProcess> {
  const script = new URL("traffic-driver.ts", import.meta.url);
  const driver = startDriver(script, [JSON.stringify(target), String(USERS)]);
  await messageOf(driver);
  return driver;
}

async function ask<Answer>(driver: ChildProcess, question: string): Promise<Answer> {
  const answer = messageOf<Answer>(driver);
  driver.send(question);
  return answer;
}

const count = (tally: Tally) => Object.values(tally).reduce((total, times) => total + times, 0);
const toMiB = (bytes: number) => (bytes / 1_048_576).toFixed(1);

function print(run: {
  readonly minutes: number;
  readonly tally: Tally;
  readonly observations: readonly Observation[];
  readonly before: Held;
  readonly after: Held;
}): boolean {
  const { tally, observations, before, after } = run;
  const warm = observations.slice(Math.floor(observations.length * WARM_UP_SHARE));
  console.log(`\nSoak, ${run.minutes} min, ${USERS} users, Node ${process.versions.node}`);
  for (const [scene, times] of Object.entries(tally)) console.log(`  ${scene.padEnd(52)} ${times}`);

  const passed = [
    printHeap(warm.map(({ scenes, held }) => ({ done: scenes, value: held.heapUsed }))),
    printResident(warm.map(({ scenes, held }) => ({ done: scenes, value: held.rss }))),
    printCount("open files and sockets", before.descriptors, after.descriptors),
    ...Object.keys({ ...before.resources, ...after.resources }).map((name) =>
      printCount(name, before.resources[name] ?? 0, after.resources[name] ?? 0),
    ),
  ];
  const hasPassed = passed.every(Boolean);
  console.log(hasPassed ? "  passed: nothing grows" : "  failed");
  return hasPassed;
}

/** Flat: even the upper bound of the growth per scene is less than the smallest possible leak. */
function printHeap(samples: readonly Sample[]): boolean {
  const { slope, low, high } = growthOf(samples);
  const isFlat = high <= MAX_HEAP_BYTES_EACH;
  const interval = `${slope.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)}) bytes each`;
  printMemory("heap", samples, `${interval}, at most ${MAX_HEAP_BYTES_EACH}`, isFlat);
  return isFlat;
}

/** Flat: even at the upper bound, it grows by less than a tenth from the first sample to the last. */
function printResident(samples: readonly Sample[]): boolean {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return false;
  const { slope, low, high } = growthOf(samples);
  const toPercent = (each: number) => ((100 * each * (last.done - first.done)) / first.value).toFixed(1);
  const isFlat = high * (last.done - first.done) <= first.value * MAX_RSS_GROWTH;
  const interval = `${toPercent(slope)} % (${toPercent(low)} to ${toPercent(high)})`;
  printMemory("resident memory", samples, `${interval}, at most ${MAX_RSS_GROWTH * 100} %`, isFlat);
  return isFlat;
}

function printMemory(name: string, samples: readonly Sample[], growth: string, isFlat: boolean): void {
  const ends = `${toMiB(samples[0]?.value ?? 0)} MiB to ${toMiB(samples.at(-1)?.value ?? 0)} MiB`;
  console.log(`  ${name.padEnd(24)} ${ends}; grows by ${growth}: ${isFlat ? "flat" : "not flat"}`);
}

function printCount(name: string, before: number, after: number): boolean {
  const isSame = after <= before;
  console.log(`  ${name.padEnd(24)} ${before} before, ${after} after: ${isSame ? "nothing left" : "left open"}`);
  return isSame;
}
