import { openSide } from "../block-driver.ts";
import { compareBlocks, cpuOf, ratesOf } from "../blocks.ts";
import { messageOf, startDriver } from "../driver.ts";
import { printSpread, ratioOf } from "../ratio.ts";
import { spreadOf } from "../spread.ts";

const ROUNDS = 15;
const BLOCK = { operations: 6_000, concurrency: 16 };
const WARM_UP_BLOCKS = 2;

/** Compares signed calls of one dispatcher to one server through the guard with calls through undici's own pool. */
export async function benchGuard(): Promise<void> {
  const webhook = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  const { url } = await messageOf<{ url: string }>(webhook);
  const open = (side: string) => openSide(new URL("driver.ts", import.meta.url), [side, url]);
  const [guarded, requested, dispatched] = await Promise.all([open("guarded"), open("requested"), open("dispatched")]);
  try {
    const sides = { guarded: guarded.run, requested: requested.run, dispatched: dispatched.run };
    const blocks = await compareBlocks(sides, { rounds: ROUNDS, block: BLOCK, warmUpBlocks: WARM_UP_BLOCKS });
    const setting = `${BLOCK.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} rounds of ${BLOCK.operations} signed calls in random order`;
    console.log(`\nGuard, ${setting}`);
    const cpu = {
      guarded: cpuOf(blocks.guarded),
      requested: cpuOf(blocks.requested),
      dispatched: cpuOf(blocks.dispatched),
    };
    printSpread("guarded: calls/s", spreadOf(ratesOf(blocks.guarded)), 0);
    printSpread("guarded: CPU-ms a call", spreadOf(cpu.guarded), 4);
    printSpread("Pool.dispatch in its place: CPU-ms a call", spreadOf(cpu.dispatched), 4);
    printSpread("Pool.request in its place: CPU-ms a call", spreadOf(cpu.requested), 4);
    printSpread("CPU, ratio to Pool.dispatch (goal: at most 1.15)", ratioOf(cpu.guarded, cpu.dispatched));
    printSpread("CPU, ratio to Pool.request", ratioOf(cpu.guarded, cpu.requested));
    printSpread("rate, ratio to Pool.dispatch", ratioOf(ratesOf(blocks.guarded), ratesOf(blocks.dispatched)));
  } finally {
    for (const side of [guarded, requested, dispatched]) side.close();
    webhook.kill();
  }
}
