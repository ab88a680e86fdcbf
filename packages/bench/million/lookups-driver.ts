import { openBenchGateway } from "../bench-gateway.ts";
import type { GatewayTask } from "../gateway-driver.ts";

const TIMES = 200;
const WARM_UP = 50;
/** No lease has expired before this time, so a claim finds nothing, however many executions have ended. */
const LONG_AGO = 1;
const PAGE = 50;

/** How long each takes in the middle, in ms. */
export interface LookupTimes {
  readonly firstPage: number;
  readonly laterPage: number;
  readonly claim: number;
  readonly waking: number;
  readonly renewal: number;
}

const [text = ""] = process.argv.slice(2);
const { config, url }: GatewayTask = JSON.parse(text);
const gateway = await openBenchGateway(config, url);
const { composed, workspaceId } = gateway;
const { eventStore } = composed.store;
// So that both journals have a second page.
for (let count = 0; count <= PAGE; count += 1) await gateway.execute();
const { nextCursor } = await composed.executions.list(workspaceId, { limit: PAGE });

async function middleMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < WARM_UP + TIMES; count += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return times.slice(WARM_UP).sort((left, right) => left - right)[TIMES / 2] ?? Number.NaN;
}

const owner = "of the benchmark";
process.send?.({
  firstPage: await middleMs(() => composed.executions.list(workspaceId, { limit: PAGE })),
  laterPage: await middleMs(() => composed.executions.list(workspaceId, { limit: PAGE, cursor: nextCursor ?? "" })),
  claim: await middleMs(() =>
    eventStore.claim({ owner, now: LONG_AGO, leaseUntil: LONG_AGO, limit: 10, except: new Set() }),
  ),
  waking: await middleMs(() => eventStore.claimDue({ owner, now: LONG_AGO, leaseUntil: LONG_AGO, limit: 10 })),
  renewal: await middleMs(() => eventStore.renew({ owner, leaseUntil: LONG_AGO })),
} satisfies LookupTimes);
await gateway.close();
process.disconnect();
