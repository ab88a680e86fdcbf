import { type DriverSide, openSide } from "../block-driver.ts";
import { compareBlocks, cpuOf, ratesOf } from "../blocks.ts";
import { messageOf, runDriver, startDriver } from "../driver.ts";
import { printSpread, ratioOf } from "../ratio.ts";
import { spreadOf } from "../spread.ts";
import { openServedSide } from "./served-side.ts";

const ROUNDS = 12;
const OPERATIONS = 1_000;
/** The cost of an execution falls over the first 12,000 executions of a process. */
const WARM_UP_BLOCKS = 12;
const CONCURRENCIES = [16, 64];

/**
 * Durable executions against the AI SDK's loop in memory: two model turns and one webhook call each, embedded, over
 * HTTP and streamed.
 */
export async function benchExecution(): Promise<void> {
  const webhook = startDriver(new URL("webhook-server.ts", import.meta.url));
  const { url, secret } = await messageOf<{ url: string; secret: string }>(webhook);
  const args = (side: string) => [side, url, secret];
  try {
    await compare("embedded", (side) => openSide(new URL("driver.ts", import.meta.url), args(side)));
    await compare("over HTTP", (side) => openServedSide("execute", args(side)));
    await compare("streamed over HTTP", (side) => openServedSide("stream", args(side)));
  } finally {
    webhook.kill();
  }
  const modelTurns = await runDriver(new URL("model-turns-driver.ts", import.meta.url), []);
  printSpread("two scripted model turns alone, CPU-ms", spreadOf([modelTurns.cpuMs / modelTurns.executions]), 3);
}

async function compare(mode: string, open: (side: string) => Promise<DriverSide>): Promise<void> {
  const [yagate, usual, tuned] = await Promise.all([open("yagate"), open("usual"), open("tuned")]);
  const sides = { yagate: yagate.run, usual: usual.run, tuned: tuned.run };
  try {
    for (const [index, concurrency] of CONCURRENCIES.entries()) {
      const blocks = await compareBlocks(sides, {
        rounds: ROUNDS,
        block: { operations: OPERATIONS, concurrency },
        warmUpBlocks: index === 0 ? WARM_UP_BLOCKS : 1,
      });
      const { yagate: ours, usual: loop, tuned: tunedLoop } = blocks;
      console.log(
        `\nExecution ${mode}, ${concurrency} at once, Node ${process.versions.node}, ${ROUNDS} rounds of ${OPERATIONS}, random order`,
      );
      printSpread("Yagate, every step stored (synchronous=FULL), signed: executions/s", spreadOf(ratesOf(ours)), 0);
      printSpread("AI SDK in memory, unsigned: executions/s", spreadOf(ratesOf(loop)), 0);
      printSpread("Yagate: CPU-ms an execution", spreadOf(cpuOf(ours)), 3);
      printSpread("AI SDK: CPU-ms an execution", spreadOf(cpuOf(loop)), 3);
      printSpread("AI SDK tuned (undici's pool, no telemetry): CPU-ms", spreadOf(cpuOf(tunedLoop)), 3);
      printSpread("rate, ratio", ratioOf(ratesOf(ours), ratesOf(loop)));
      printSpread("CPU, ratio", ratioOf(cpuOf(ours), cpuOf(loop)));
      printSpread("CPU, ratio to the tuned loop", ratioOf(cpuOf(ours), cpuOf(tunedLoop)));
    }
  } finally {
    for (const side of [yagate, usual, tuned]) side.close();
  }
}
