import type { UnitRunner } from "../unit-of-work.ts";
import type { UsageStore } from "../usage-store.ts";
import { countAll } from "./quota-counts.ts";

export function createUsageStore(units: UnitRunner): UsageStore {
  return { counts: (workspaceId) => units.read(() => countAll(workspaceId)) };
}
