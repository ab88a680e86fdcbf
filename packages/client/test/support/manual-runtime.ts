import type { Runtime } from "../../src/runtime.ts";

/** A runtime whose delays are over at once and whose time limits end only when a test says so. */
export interface ManualRuntime extends Runtime {
  /** The clock; tests may set it. */
  nowMs: number;
  /** The delays that were asked for, in ms. */
  readonly delays: number[];
  /** Ends the oldest running time limit of this length; false when there is none. */
  expire(ms: number): boolean;
}

export function manualRuntime(nowMs = Date.now()): ManualRuntime {
  const limits = new Set<{ readonly ms: number; readonly run: () => void }>();
  let keys = 0;
  const runtime: ManualRuntime = {
    nowMs,
    delays: [],
    now: () => runtime.nowMs,
    random: () => 0.5,
    newIdempotencyKey: () => `key-${++keys}`,
    async sleep(ms, signal) {
      runtime.delays.push(ms);
      signal?.throwIfAborted();
    },
    after(ms, run) {
      const limit = { ms, run };
      limits.add(limit);
      return () => limits.delete(limit);
    },
    expire(ms) {
      const limit = [...limits].find((candidate) => candidate.ms === ms);
      if (limit === undefined) return false;
      limits.delete(limit);
      limit.run();
      return true;
    },
  };
  return runtime;
}
