import { Counter, Gauge, type Registry } from "prom-client";

/** Counts the requests that quotas rejected, and the stored bytes. */
export interface QuotaMetrics {
  /** @param quota - the name of a quota, from a fixed list. */
  onRefused(quota: string): void;
  /** @param bytes - the total of all workspaces. */
  onStoredBytes(bytes: number): void;
}

export function createQuotaMetrics(registry: Registry): QuotaMetrics {
  const refusals = new Counter({
    name: "yagate_quota_refusals_total",
    help: "Requests rejected by a quota of their workspace, by quota",
    labelNames: ["quota"],
    registers: [registry],
  });
  const stored = new Gauge({
    name: "yagate_stored_bytes",
    help: "Bytes of executions, agents and workspace tools in the store, for all workspaces; every replica reports the same value",
    registers: [registry],
  });
  return { onRefused: (quota) => refusals.inc({ quota }), onStoredBytes: (bytes) => stored.set(bytes) };
}
