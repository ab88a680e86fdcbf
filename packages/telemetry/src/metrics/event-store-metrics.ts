import type { Registry } from "prom-client";
import { COMMIT_SECONDS, GROUP_SIZES } from "./buckets.ts";
import { ByLabel } from "./by-label.ts";
import { CounterFamily } from "./counter-family.ts";
import { HistogramFamily } from "./histogram-family.ts";

/** Counts the writes of the event store. */
export interface EventStoreMetrics {
  onOutcome(outcome: string, durationMs: number): void;
  /**
   * Counts a commit.
   * @param commit.size - number of writes in the commit.
   */
  onCommit(commit: { readonly size: number; readonly durationMs: number }): void;
}

export function createEventStoreMetrics(registry: Registry): EventStoreMetrics {
  const appends = new CounterFamily({
    name: "yagate_journal_appends_total",
    help: "Appends to the event store by outcome: appended, behind (a command was appended first), taken_over (another owner), failed (the store failed)",
    labelNames: ["outcome"],
    registry,
  });
  const appendDurations = new HistogramFamily({
    name: "yagate_journal_append_duration_seconds",
    help: "Time until an append is durable, including the wait for its commit",
    buckets: COMMIT_SECONDS,
    registry,
  }).bind({});
  const commitDurations = new HistogramFamily({
    name: "yagate_journal_commit_duration_seconds",
    help: "Duration of commits",
    buckets: COMMIT_SECONDS,
    registry,
  }).bind({});
  const groups = new HistogramFamily({
    name: "yagate_journal_commit_group_size",
    help: "Writes per commit",
    buckets: GROUP_SIZES,
    registry,
  }).bind({});
  const appendsBy = new ByLabel((outcome) => appends.bind({ outcome }));
  for (const outcome of ["appended", "behind", "taken_over", "failed"]) appendsBy.of(outcome);

  return {
    onOutcome(outcome, durationMs) {
      appendsBy.of(outcome).inc();
      if (outcome !== "failed") appendDurations.observe(durationMs / 1_000);
    },
    onCommit({ size, durationMs }) {
      commitDurations.observe(durationMs / 1_000);
      groups.observe(size);
    },
  };
}
