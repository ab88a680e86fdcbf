import { Counter, Gauge, type Registry } from "prom-client";

export interface LeaseMetricsOptions {
  /** Duration of a lease in ms. */
  readonly leaseMs: number;
  /** Returns the time of a monotonic clock that continues while the process is frozen, in ms. */
  readonly monotonicNow: () => number;
}

/**
 * Counts the renewals of this process's lease, and how often the lease lapsed before a renewal. After a lapse, other
 * replicas may have taken over its executions.
 *
 * @returns a wrapper for each renewal.
 */
export function createLeaseMetrics(registry: Registry, { leaseMs, monotonicNow }: LeaseMetricsOptions) {
  const registers = [registry];
  const renewals = new Counter({
    name: "yagate_lease_renewals_total",
    help: "Lease renewals of this process, by result: ok or failed",
    labelNames: ["result"],
    registers,
  });
  const lapses = new Counter({
    name: "yagate_lease_lapses_total",
    help: "Leases that lapsed before they were renewed",
    registers,
  });
  let heldUntil: number | undefined;
  new Gauge({
    name: "yagate_lease_held",
    help: "1 while this process holds its lease and may advance executions",
    registers,
    collect() {
      this.set(heldUntil !== undefined && monotonicNow() < heldUntil ? 1 : 0);
    },
  });
  for (const result of ["ok", "failed"]) renewals.inc({ result }, 0);

  return async (renew: () => Promise<void>): Promise<void> => {
    const before = monotonicNow();
    try {
      await renew();
    } catch (error) {
      renewals.inc({ result: "failed" });
      throw error;
    }
    renewals.inc({ result: "ok" });
    if (heldUntil !== undefined && monotonicNow() > heldUntil) lapses.inc();
    heldUntil = before + leaseMs;
  };
}
