import { DEFAULT_PLANS, planSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { tableRows } from "./page-tables.ts";

const PAGE = "docs/integrations.md";
const LIMITS = ["callsPerExecution", "callsPerMinute", "responseBytes", "creditsPerCall"] as const;

describe(PAGE, () => {
  it("has the limits of every plan", () => {
    const stated = tableRows(PAGE, ["plan", ...LIMITS]).map((row) => [
      row["plan"],
      LIMITS.map((limit) => Number(row[limit])),
    ]);
    const plans = Object.entries(DEFAULT_PLANS).map(([name, plan]) => [name, LIMITS.map((limit) => plan[limit])]);
    expect(stated).toEqual(plans);
  });

  it.each(LIMITS)("has the range of %s", (limit) => {
    const { range = "" } = tableRows(PAGE, ["field", "range", "meaning"]).find(({ field }) => field === limit) ?? {};
    const [low = Number.NaN, high = Number.NaN] = range.split(" to ").map(Number);
    const isTaken = (value: number) => planSchema.shape[limit].safeParse(value).success;
    expect([low - 1, low, high, high + 1].map(isTaken)).toEqual([false, true, true, false]);
  });
});
