import { YagateError } from "@yagate/protocol";
import type { ChangeRecorder, ToolSourceRow, ToolSourceStore } from "@yagate/store/port";
import { SYNC_LEASE_MS } from "./port.ts";
import type { SourceSync } from "./source-sync.ts";

/** Interval between checks for sources whose sync is due, in ms. */
const LOOK_MS = 2_000;
/** Maximum number of scheduled syncs that one process runs at the same time. */
const MAX_SYNCS = 4;

export interface SyncScheduleOptions {
  readonly store: Pick<ToolSourceStore, "claimDue">;
  readonly sync: Pick<SourceSync, "runBegun">;
  /** Ends calls that wait for an approval of a withdrawn definition. */
  readonly endWithdrawnCalls: () => Promise<void>;
  /** Records the tools that a sync accepts. */
  readonly recorder: ChangeRecorder;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Syncs tool sources when their next sync is due. */
export interface SyncSchedule {
  start(): void;
  /**
   * Claims the sources that are due, at most as many as may run, and starts their syncs.
   * @returns a promise of the end of each sync.
   */
  look(): Promise<readonly Promise<void>[]>;
  /** Aborts running syncs and waits for their end. */
  stop(): Promise<void>;
}

export function createSyncSchedule(options: SyncScheduleOptions): SyncSchedule {
  const { store, sync, endWithdrawnCalls, recorder, now, onError } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<readonly Promise<void>[]> | undefined;
  let ending: Promise<void> | undefined;

  async function run(source: ToolSourceRow): Promise<void> {
    try {
      await sync.runBegun(source, { recorder, signal: stopping.signal });
    } catch (error) {
      // The status of the source contains the reason of its failure. A source may also have been deleted meanwhile.
      const isUnexpected = !YagateError.is(error) || error.code === "INTERNAL" || error.code === "UNAVAILABLE";
      if (isUnexpected && !stopping.signal.aborted) onError(error);
    }
  }

  async function claim(): Promise<readonly Promise<void>[]> {
    const limit = MAX_SYNCS - running.size;
    if (limit === 0 || stopping.signal.aborted) return [];
    const at = now();
    const due = await store.claimDue({ now: at, until: at + SYNC_LEASE_MS, limit });
    return due.map((source) => {
      const ended: Promise<void> = run(source).finally(() => running.delete(ended));
      running.add(ended);
      return ended;
    });
  }

  function look(): Promise<readonly Promise<void>[]> {
    looking ??= claim().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function endWithdrawn(): Promise<void> {
    ending ??= endWithdrawnCalls().finally(() => {
      ending = undefined;
    });
    return ending;
  }

  return {
    look,
    start() {
      timer = setInterval(() => {
        look().catch(onError);
        endWithdrawn().catch(onError);
      }, LOOK_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.allSettled([looking, ending]);
      await Promise.all(running);
    },
  };
}
