import { Counter, Histogram, type Registry } from "prom-client";
import { COMMIT_SECONDS, GROUP_SIZES } from "./buckets.ts";

/** Counts what the journal writes. */
export interface EventStoreMetrics {
  onOutcome(outcome: string, durationMs: number): void;
  /** One commit of the store: how many writes shared it. */
  onCommit(commit: { readonly size: number; readonly durationMs: number }): void;
}

export function createEventStoreMetrics(registry: Registry): EventStoreMetrics {
  const registers = [registry];
  const appends = new Counter({
    name: "yagate_journal_appends_total",
    help: "Appends by outcome: appended, behind (a command came in), taken_over (another owner), failed (the store refused)",
    labelNames: ["outcome"],
    registers,
  });
  const appendDurations = new Histogram({
    name: "yagate_journal_append_duration_seconds",
    help: "From handing an append over until it is durable, waiting for its commit included",
    buckets: COMMIT_SECONDS,
    registers,
  });
  const commitDurations = new Histogram({
    name: "yagate_journal_commit_duration_seconds",
    help: "Commits of the store",
    buckets: COMMIT_SECONDS,
    registers,
  });
  const groups = new Histogram({
    name: "yagate_journal_commit_group_size",
    help: "Writes that shared a commit",
    buckets: GROUP_SIZES,
    registers,
  });
  for (const outcome of ["appended", "behind", "taken_over", "failed"]) appends.inc({ outcome }, 0);

  return {
    onOutcome(outcome, durationMs) {
      appends.inc({ outcome });
      if (outcome !== "failed") appendDurations.observe(durationMs / 1_000);
    },
    onCommit({ size, durationMs }) {
      commitDurations.observe(durationMs / 1_000);
      groups.observe(size);
    },
  };
}
