import { Counter, Gauge, type Registry } from "prom-client";

export interface LeaseMetricsOptions {
  /** How long a renewal holds, in ms. */
  readonly leaseMs: number;
  /** ms on a clock that goes on while the process is frozen and never jumps. */
  readonly monotonicNow: () => number;
}

/**
 * Counts renewals of this process's lease, and how often it ran out in between: then others may have taken its
 * executions over.
 *
 * @returns what wraps a renewal.
 */
export function createLeaseMetrics(registry: Registry, { leaseMs, monotonicNow }: LeaseMetricsOptions) {
  const registers = [registry];
  const renewals = new Counter({
    name: "yagate_lease_renewals_total",
    help: "Renewals of this process's lease, by result: ok or failed",
    labelNames: ["result"],
    registers,
  });
  const lapses = new Counter({
    name: "yagate_lease_lapses_total",
    help: "How often the lease ran out before it was renewed",
    registers,
  });
  let heldUntil: number | undefined;
  new Gauge({
    name: "yagate_lease_held",
    help: "1 while this process may advance executions",
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
