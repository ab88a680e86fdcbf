import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFollower } from "@yagate/read-models/follower";
import { openStore } from "@yagate/store/open-store";
import { storeExecution } from "../read-models/store-execution.ts";
import type { FollowerCounts } from "./measure-counts.ts";
import { openSqliteLog } from "./sqlite-log.ts";
import { tallyOf } from "./tally.ts";

/** All events have the same time: at two times, the points of metrics may be more rows. */
const AT = new Date("2026-11-21T06:00:00.000Z");
/** Enough that the indexes have several pages, as in a store that is used. */
const EARLIER = 256;

const executions = Number(process.argv[2]);
const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
const store = await openStore({ dataDir, databaseUrl: undefined });
const log = openSqliteLog(dataDir);
const follower = createFollower({
  ...{ store: store.readModels, owner: "bench", executionRetentionDays: undefined, now: () => AT.getTime() },
  onError: fail,
  pause: async () => {},
});
await storeAndLook(EARLIER);
process.send?.(await storeAndLook(executions));
await store.close();
await rm(dataDir, { recursive: true, force: true });
process.disconnect();

async function storeAndLook(count: number): Promise<FollowerCounts> {
  for (let index = 0; index < count; index += 1) await storeExecution(store, AT);
  log.empty();
  const { statements, commits } = await tallyOf(async () => {
    // On a busy machine, the time of one look may not suffice.
    while ((await follower.look()) === false);
  });
  return { statements: statements / count, commits, loggedBytes: (await log.size()) / count };
}

function fail(error: unknown): never {
  throw new Error("the follower failed", { cause: error });
}
