import { Counter, Gauge, type Registry } from "prom-client";

/** The tool sources of all workspaces, as numbers. */
export interface ToolSourceTotals {
  /** Number of sources by status; statuses without sources are missing. */
  readonly byStatus: ReadonlyMap<string, number>;
  /** Number of tools that are published with a definition that is not accepted. */
  readonly held: number;
  /** The earliest time of the latest successful syncs, in ms since the epoch; null without sources. */
  readonly oldestSyncAt: number | null;
}

/** Counts syncs of tool sources, and reads the state of the sources at each scrape. */
export interface ToolSourceMetrics {
  /** @param result - from a fixed list. */
  onSynced(result: string): void;
  /** Adds the gauges. @param totals - reads the state of the sources of all workspaces. */
  watch(totals: () => Promise<ToolSourceTotals>): void;
}

const RESULTS = ["ready", "changed", "unreachable", "unauthorized", "failed"];
const STATUSES = ["ready", "changed", "unreachable", "unauthorized"] as const;
/** Time in ms for which the gauges share one read of the state. */
const SHARED_MS = 1_000;

export function createToolSourceMetrics(registry: Registry, now: () => number): ToolSourceMetrics {
  const registers = [registry];
  const syncs = new Counter({
    name: "yagate_tool_source_syncs_total",
    help: "Syncs of tool sources by this process, by result",
    labelNames: ["result"],
    registers,
  });
  for (const result of RESULTS) syncs.inc({ result }, 0);

  function watch(read: () => Promise<ToolSourceTotals>): void {
    let latest: { readonly at: number; readonly totals: Promise<ToolSourceTotals | undefined> } | undefined;
    /** Returns undefined if the store is unavailable. The gauges then keep their values. */
    function totals(): Promise<ToolSourceTotals | undefined> {
      const at = now();
      if (latest === undefined || at < latest.at || at - latest.at >= SHARED_MS) {
        latest = { at, totals: read().catch(() => undefined) };
      }
      return latest.totals;
    }
    new Gauge({
      name: "yagate_tool_sources",
      help: "Tool sources of all workspaces, by status; every replica reports the same values",
      labelNames: ["status"],
      registers,
      async collect() {
        const current = await totals();
        for (const status of STATUSES) {
          if (current !== undefined) this.set({ status }, current.byStatus.get(status) ?? 0);
        }
      },
    });
    new Gauge({
      name: "yagate_tool_source_held",
      help: "Tools of all workspaces whose published definition is not accepted; every replica reports the same value",
      registers,
      async collect() {
        const current = await totals();
        if (current !== undefined) this.set(current.held);
      },
    });
    new Gauge({
      name: "yagate_tool_source_oldest_sync_seconds",
      help: "Longest time since the latest successful sync of a tool source; every replica reports the same value",
      registers,
      async collect() {
        const current = await totals();
        if (current === undefined) return;
        const { oldestSyncAt } = current;
        this.set(oldestSyncAt === null ? 0 : Math.max(0, now() - oldestSyncAt) / 1_000);
      },
    });
  }

  return { onSynced: (result) => syncs.inc({ result }), watch };
}
