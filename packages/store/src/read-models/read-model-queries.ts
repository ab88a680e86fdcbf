import type { UnitRunner } from "../unit-of-work.ts";
import { backfillPosition, backfillStep } from "./backfill.ts";
import type { ReadModelTables } from "./derived-rows.ts";
import { deleteMetricPoints, metricPoints } from "./metric-points.ts";
import type { ReadModelStore } from "./port.ts";
import { toolCallPage } from "./tool-call-list.ts";

/** Creates the parts of the read models whose statements are the same on every database. */
export function createReadModelQueries(
  units: UnitRunner,
  tables: ReadModelTables,
): Omit<ReadModelStore, "claim" | "advance"> {
  return {
    backfill: (fold, limit) => units.write(() => backfillStep(tables, fold, limit)),
    isBackfilling: async () => (await units.read(backfillPosition)) !== "",
    points: (workspaceId, range, metrics) => units.read(() => metricPoints(workspaceId, range, metrics)),
    deletePoints: (step, before, limit) => units.write(() => deleteMetricPoints(step, before, limit)),
    toolCalls: (workspaceId, page, filter = {}) => units.read(() => toolCallPage(workspaceId, page, filter)),
  };
}
