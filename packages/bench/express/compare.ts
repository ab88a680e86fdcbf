import { generateSigningSecret } from "@yagate/protocol";
import { compareBlocks, cpuOf, ratesOf } from "../blocks.ts";
import { printSpread, ratioOf } from "../ratio.ts";
import { spreadOf } from "../spread.ts";
import { openServedTool } from "./served-tool.ts";

const ROUNDS = 15;
const BLOCK = { operations: 4_000, concurrency: 32 };
const WARM_UP_BLOCKS = 3;

/**
 * Calls of 1 KB to a tool in Express: the adapter of the kit, `express.raw` with verification by hand, and the same with
 * responses that are remembered and signed.
 */
export async function benchExpress(): Promise<void> {
  const secret = generateSigningSecret();
  const open = (side: string) => openServedTool(side, secret);
  const [kit, verifying, remembering] = await Promise.all([open("kit"), open("verifying"), open("remembering")]);
  try {
    const sides = { kit: kit.run, verifying: verifying.run, remembering: remembering.run };
    const blocks = await compareBlocks(sides, { rounds: ROUNDS, block: BLOCK, warmUpBlocks: WARM_UP_BLOCKS });
    const setting = `${BLOCK.concurrency} connections, Node ${process.versions.node}, ${ROUNDS} rounds of ${BLOCK.operations} calls in random order`;
    console.log(`\nExpress, 1 KB, ${setting}`);
    const cpu = { kit: cpuOf(blocks.kit), verifying: cpuOf(blocks.verifying), remembering: cpuOf(blocks.remembering) };
    printSpread("express.raw, verification by hand: calls/s", spreadOf(ratesOf(blocks.verifying)), 0);
    printSpread("toolHandler of the kit: calls/s", spreadOf(ratesOf(blocks.kit)), 0);
    printSpread("express.raw, verification by hand: CPU-ms a call", spreadOf(cpu.verifying), 4);
    printSpread("the same, remembering and signing: CPU-ms a call", spreadOf(cpu.remembering), 4);
    printSpread("toolHandler of the kit: CPU-ms a call", spreadOf(cpu.kit), 4);
    printSpread("rate, ratio to verification by hand", ratioOf(ratesOf(blocks.kit), ratesOf(blocks.verifying)));
    printSpread("CPU, ratio to verification by hand (goal: at most 1.15)", ratioOf(cpu.kit, cpu.verifying));
    printSpread("CPU, ratio to remembering and signing (goal: at most 0.9)", ratioOf(cpu.kit, cpu.remembering));
  } finally {
    for (const side of [kit, verifying, remembering]) side.close();
  }
}
