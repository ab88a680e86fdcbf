import { Counter, Gauge, type Registry } from "prom-client";

/** Counts what quotas refused, and tells what is stored. */
export interface QuotaMetrics {
  /** @param quota - one of the gateway's own names. */
  onRefused(quota: string): void;
  /** @param bytes - that all workspaces store. */
  onStoredBytes(bytes: number): void;
}

export function createQuotaMetrics(registry: Registry): QuotaMetrics {
  const refusals = new Counter({
    name: "yagate_quota_refusals_total",
    help: "Requests that a quota of their workspace refused, by quota",
    labelNames: ["quota"],
    registers: [registry],
  });
  const stored = new Gauge({
    name: "yagate_stored_bytes",
    help: "Bytes of executions, agents and workspace tools in the store, of all workspaces; every replica tells the same",
    registers: [registry],
  });
  return { onRefused: (quota) => refusals.inc({ quota }), onStoredBytes: (bytes) => stored.set(bytes) };
}
