import { Counter, type Registry } from "prom-client";

/** Counts what quotas refused. */
export interface QuotaMetrics {
  /** @param quota - one of the gateway's own names. */
  onRefused(quota: string): void;
}

export function createQuotaMetrics(registry: Registry): QuotaMetrics {
  const refusals = new Counter({
    name: "yagate_quota_refusals_total",
    help: "Requests that a quota of their workspace refused, by quota",
    labelNames: ["quota"],
    registers: [registry],
  });
  return { onRefused: (quota) => refusals.inc({ quota }) };
}
