import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { ByLabel } from "../src/metrics/by-label.ts";
import { CounterFamily } from "../src/metrics/counter-family.ts";
import { HistogramFamily } from "../src/metrics/histogram-family.ts";

// prom-client's own metrics are the oracle: the same values make the same text.

const BUCKETS = [0.005, 0.5, 1, 600];
const label = fc.constantFrom("ok", "handler", 'a "quote"', "a\nline", "back\\slash", "");
const amount = fc.oneof(fc.nat(1_000), fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constantFrom(...BUCKETS));
const steps = fc.array(fc.record({ route: label, status: label, amount }), { maxLength: 40 });
const help = "What a metric\ncounts";

it("counters have the text of prom-client's at every scrape", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, second) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const labelNames = ["route", "status"] as const;
      const family = new CounterFamily({ name: "calls_total", help, labelNames, registry: ours });
      const single = new CounterFamily({ name: "all_total", help, registry: ours }).bind({});
      const seriesBy = new ByLabel((route) => new ByLabel((status) => family.bind({ route, status })));
      const calls = new Counter({ name: "calls_total", help, labelNames, registers: [theirs] });
      const all = new Counter({ name: "all_total", help, registers: [theirs] });
      for (const part of [first, second]) {
        for (const { route, status, amount } of part) {
          seriesBy.of(route).of(status).inc(amount);
          single.inc();
          calls.inc({ route, status }, amount);
          all.inc();
        }
        expect(await ours.metrics()).toBe(await theirs.metrics());
      }
    }),
  );
});

it("histograms have the text of prom-client's at every scrape", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, second) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const labelNames = ["route", "status"] as const;
      const described = { help, buckets: BUCKETS };
      const family = new HistogramFamily({ ...described, name: "call_seconds", labelNames, registry: ours });
      const single = new HistogramFamily({ ...described, name: "all_seconds", registry: ours }).bind({});
      const seriesBy = new ByLabel((route) => new ByLabel((status) => family.bind({ route, status })));
      const calls = new Histogram({ ...described, name: "call_seconds", labelNames, registers: [theirs] });
      const all = new Histogram({ ...described, name: "all_seconds", registers: [theirs] });
      for (const part of [first, second]) {
        for (const { route, status, amount } of part) {
          seriesBy.of(route).of(status).observe(amount);
          single.observe(amount);
          calls.observe({ route, status }, amount);
          all.observe(amount);
        }
        expect(await ours.metrics()).toBe(await theirs.metrics());
      }
    }),
  );
});
