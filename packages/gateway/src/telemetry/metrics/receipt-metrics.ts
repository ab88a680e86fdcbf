import { Counter, type Registry } from "prom-client";

/** Counts receipts that were asked for. */
export interface ReceiptMetrics {
  /** The stored record is not the one that was sealed. */
  onUnverified(): void;
}

export function createReceiptMetrics(registry: Registry): ReceiptMetrics {
  const unverified = new Counter({
    name: "yagate_receipts_unverified_total",
    help: "Receipts that were asked for of records that are not as they were sealed",
    registers: [registry],
  });
  return { onUnverified: () => unverified.inc() };
}
