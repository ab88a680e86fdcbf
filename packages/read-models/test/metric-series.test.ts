import type { MetricPoint } from "@yagate/store/port";
import { describe, expect, it } from "vitest";
import { bucketOf, durationOf, summarise } from "../src/buckets.ts";
import { MAX_LABELS, OTHER, toSeries } from "../src/metric-series.ts";
import { createReadMetrics } from "../src/read-metrics.ts";

const point = (change: Partial<MetricPoint>): MetricPoint => ({
  ...{ metric: "codes", label: "A", step: 3_600, at: 0, bucket: 0, value: 1 },
  ...change,
});

describe("buckets of durations", () => {
  it.each([0.02, 0.5, 1, 3.3, 100, 12_345, 86_400_000])("stand for %d ms with at most 5 % difference", (ms) => {
    expect(Math.abs(durationOf(bucketOf(ms)) - ms) / ms).toBeLessThan(0.05);
  });

  it("count everything below 10 µs as 0", () => {
    expect([0, -5, 0.01].map((ms) => durationOf(bucketOf(ms)))).toEqual([0, 0, 0]);
  });

  it("give the percentiles of a distribution", () => {
    const occurrences = new Map([
      [1, 50],
      [2, 45],
      [9, 5],
    ]);
    expect(summarise(occurrences, (bucket) => bucket)).toEqual({ count: 100, mean: 1.85, p50: 1, p95: 2, p99: 9 });
    expect(summarise(new Map(), (bucket) => bucket)).toEqual({ count: 0, mean: 0, p50: 0, p95: 0, p99: 0 });
  });
});

describe("series", () => {
  it("start with the largest, with a total and the points in order", () => {
    const points = [
      point({ label: "B", at: 3_600_000, value: 4 }),
      point({ label: "A", at: 0 }),
      point({ label: "B", at: 0, value: 2 }),
    ];
    expect(toSeries("codes", points)).toMatchObject([
      {
        label: "B",
        total: { value: 6 },
        points: [
          { at: "1970-01-01T00:00:00.000Z", value: 2 },
          { at: "1970-01-01T01:00:00.000Z", value: 4 },
        ],
      },
      { label: "A", total: { value: 1 } },
    ]);
  });

  it("add up the smallest beyond the limit", () => {
    const points = Array.from({ length: 80 }, (_, index) => point({ label: `L${index}`, value: 80 - index }));
    const series = toSeries("codes", points);
    expect(series).toHaveLength(MAX_LABELS);
    const sum = series.map(({ total }) => Number(total["value"])).reduce((left, right) => left + right, 0);
    expect(sum).toBe((80 * 81) / 2);
    expect(series.at(-1)?.label).toBe(OTHER);
  });

  it("are read for the steps of the range", async () => {
    const asked: unknown[] = [];
    const store = {
      points: async (workspaceId: string, range: object, metrics: readonly string[]) => {
        asked.push([workspaceId, range, metrics]);
        return [point({ at: Date.UTC(2026, 10, 21, 6), value: 3 })];
      },
      isBackfilling: async () => true,
    };
    const now = Date.UTC(2026, 10, 21, 6, 30);
    const report = await createReadMetrics(store, () => now)("ws_a", { range: "24h", metric: "codes" });
    const from = Date.UTC(2026, 10, 20, 7);
    expect(asked).toEqual([["ws_a", { step: 3_600, from, until: now + 1 }, ["codes"]]]);
    expect(report).toMatchObject({
      range: "24h",
      stepSeconds: 3_600,
      isPartial: true,
      series: [{ total: { value: 3 } }],
    });
    expect(report.from).toBe("2026-11-20T07:00:00.000Z");
  });
});
