import { cpus } from "node:os";
import { statOf, TICK_MS } from "./process-stat.ts";

/**
 * Starts to watch the machine. The result returns the share of its CPU time that other programs have used since then, 0
 * to 1. Call it after every child of this process has ended, because only then is their CPU time known.
 */
export function watchOtherPrograms(): () => number {
  const startedAt = performance.now();
  const busyBefore = busyMs();
  const ownBefore = ownMs();
  return () => {
    const others = busyMs() - busyBefore - (ownMs() - ownBefore);
    const all = (performance.now() - startedAt) * cpus().length;
    return Math.min(1, Math.max(0, others / all));
  };
}

function busyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

function ownMs(): number {
  const { ownTicks = 0, endedChildrenTicks = 0 } = statOf(process.pid) ?? {};
  return (ownTicks + endedChildrenTicks) * TICK_MS;
}
