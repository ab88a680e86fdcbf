import { openSide } from "../block-driver.ts";
import { type BlockLoad, compareBlocks, cpuOf, ratesOf } from "../blocks.ts";
import { printSpread, ratioOf } from "../ratio.ts";
import { type Spread, spreadOf } from "../spread.ts";

const ROUNDS = 25;
const BLOCK = { operations: 20_000, concurrency: 1 };
const WARM_UP_BLOCKS = 5;

/** The ratios of the kit to the hand-written verifier. */
export interface VerificationRatios {
  readonly kitRate: Spread;
  readonly byHandRate: Spread;
  readonly rate: Spread;
  readonly cpu: Spread;
}

/** Measures `verifyCall` against a hand-written synchronous verifier that makes the same checks, each in a process. */
export async function measureVerification(rounds: number, block: BlockLoad): Promise<VerificationRatios> {
  const open = (side: string) => openSide(new URL("driver.ts", import.meta.url), [side]);
  const [kit, byHand] = await Promise.all([open("kit"), open("by-hand")]);
  try {
    const sides = { kit: kit.run, byHand: byHand.run };
    const blocks = await compareBlocks(sides, { rounds, block, warmUpBlocks: WARM_UP_BLOCKS });
    return {
      kitRate: spreadOf(ratesOf(blocks.kit)),
      byHandRate: spreadOf(ratesOf(blocks.byHand)),
      rate: ratioOf(ratesOf(blocks.kit), ratesOf(blocks.byHand)),
      cpu: ratioOf(cpuOf(blocks.kit), cpuOf(blocks.byHand)),
    };
  } finally {
    kit.close();
    byHand.close();
  }
}

/** Verification of a 1 KB call by the kit, against the hand-written verifier. */
export async function benchVerification(): Promise<void> {
  const { kitRate, byHandRate, rate, cpu } = await measureVerification(ROUNDS, BLOCK);
  console.log(
    `\nVerification, 1 KB, Node ${process.versions.node}, ${ROUNDS} rounds of ${BLOCK.operations} calls in random order`,
  );
  printSpread("hand-written, synchronous: calls/s", byHandRate, 0);
  printSpread("verifyCall of the kit: calls/s", kitRate, 0);
  printSpread("rate, ratio (goal: at least 0.85)", rate);
  printSpread("CPU, ratio (goal: at most 1.18)", cpu);
}
