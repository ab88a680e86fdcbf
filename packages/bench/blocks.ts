/** How many operations a block has, and how many of them run concurrently. */
export interface BlockLoad {
  readonly operations: number;
  readonly concurrency: number;
}

/** What one block measured of its process. */
export interface Block {
  readonly operations: number;
  readonly seconds: number;
  /** CPU time of the process, user and system. */
  readonly cpuMs: number;
}

/** Runs one block of operations and measures wall time and the CPU time of this process. */
export async function runBlock(operation: () => unknown, { operations, concurrency }: BlockLoad): Promise<Block> {
  let left = operations;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const result = operation();
      if (result instanceof Promise) await result;
    }
  };
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - before) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { operations, seconds, cpuMs: (user + system) / 1_000 };
}

/** One side of a comparison: runs a block and reports it. */
export type Side = (load: BlockLoad) => Promise<Block>;

interface ComparisonOptions {
  readonly rounds: number;
  readonly block: BlockLoad;
  /** Blocks that each side runs first, unmeasured. */
  readonly warmUpBlocks: number;
}

/**
 * Warms all sides up, then runs rounds in which each side runs one block, in random order, one side at a time. Blocks
 * with the same index were measured next to each other.
 */
export async function compareBlocks<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, block, warmUpBlocks }: ComparisonOptions,
): Promise<Record<Name, Block[]>> {
  const names = Object.keys(sides) as Name[];
  const blocks = Object.fromEntries(names.map((name) => [name, [] as Block[]])) as Record<Name, Block[]>;
  for (let round = -warmUpBlocks; round < rounds; round += 1) {
    for (const name of shuffled(names)) {
      const measured = await sides[name](block);
      if (round >= 0) blocks[name].push(measured);
    }
  }
  return blocks;
}

/** Operations per second of each block. */
export const ratesOf = (blocks: readonly Block[]) => blocks.map(({ operations, seconds }) => operations / seconds);

/** CPU-ms per operation of each block. */
export const cpuOf = (blocks: readonly Block[]) => blocks.map(({ operations, cpuMs }) => cpuMs / operations);

function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = items.map((item) => ({ item, at: Math.random() }));
  return order.sort((left, right) => left.at - right.at).map(({ item }) => item);
}
