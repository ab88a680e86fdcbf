import { Counter, type Registry } from "prom-client";

/** Counts requested receipts whose stored record differs from the sealed one. */
export interface ReceiptMetrics {
  /** Must be called when a stored record differs from the sealed one. */
  onUnverified(): void;
}

export function createReceiptMetrics(registry: Registry): ReceiptMetrics {
  const unverified = new Counter({
    name: "yagate_receipts_unverified_total",
    help: "Requested receipts whose stored record differs from the sealed one",
    registers: [registry],
  });
  return { onUnverified: () => unverified.inc() };
}
