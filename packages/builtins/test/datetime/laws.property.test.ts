import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, it } from "vitest";
import { askDatetime } from "./ask-datetime.ts";

const seed = 20_261_121;
const ZONES = [
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "-09:30",
];
const instant = fc.integer({ min: 0, max: 4_000_000_000 });
const zone = fc.constantFrom(...ZONES);

it("a moment stays itself through any zone and any standard form", async () => {
  const form = fc.constantFrom("iso", "rfc2822", "http", "unix");
  await fc.assert(
    fc.asyncProperty(instant, zone, zone, form, async (unixSeconds, first, second, style) => {
      const there = await askDatetime({ operation: "convert", datetime: `@${unixSeconds}`, toTimezone: first });
      const text = await askDatetime({ operation: "format", datetime: Object(there).iso, timezone: second, style });
      const back = await askDatetime({
        operation: "parse",
        datetime: `${style === "unix" ? "@" : ""}${Object(text).text}`,
      });
      expect(back).toMatchObject({ unixSeconds });
    }),
    { numRuns: 150, seed },
  );
});

it("a difference, added, is the other moment", async () => {
  await fc.assert(
    fc.asyncProperty(instant, instant, zone, async (start, end, timezone) => {
      const [datetime, to] = [`@${Math.min(start, end)}`, `@${Math.max(start, end)}`];
      const difference = await askDatetime({ operation: "difference", datetime, end: to, timezone });
      const { duration } = Object(difference);
      const sum = await askDatetime({ operation: "add", datetime, duration, timezone });
      expect(sum).toMatchObject({ unixSeconds: Math.max(start, end) });
    }),
    { numRuns: 150, seed },
  );
});

it("a wall-clock time that is asked about has both readings, and they are what the tool then takes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30 * 48 }),
      fc.constantFrom("Europe/Paris", "America/New_York", "Australia/Lord_Howe"),
      async (halfHours, timezone) => {
        const month = timezone.startsWith("Aus") ? "04" : "11";
        const first = `2026-${month}-01T00:00`;
        const moved = await askDatetime({ operation: "add", datetime: `${first}Z`, duration: `PT${30 * halfHours}M` });
        const datetime = String(Object(moved).iso).slice(0, 16);
        const plain = await askDatetime({ operation: "parse", datetime, timezone });
        for (const disambiguation of ["earlier", "later"]) {
          const { iso } = Object(await askDatetime({ operation: "parse", datetime, timezone, disambiguation }));
          if ("message" in Object(plain)) expect(String(Object(plain).message)).toContain(`${iso} (${disambiguation})`);
          else expect(plain).toMatchObject({ iso });
        }
      },
    ),
    { numRuns: 150, seed },
  );
});

it("the parts of a difference are those of its duration", async () => {
  await fc.assert(
    fc.asyncProperty(instant, instant, zone, async (start, end, timezone) => {
      const units = ["year", "month", "day", "hour", "minute", "second"];
      const request = { operation: "difference", datetime: `@${start}`, end: `@${end}`, timezone, units };
      const { duration, parts } = Object(await askDatetime(request));
      const { years, months, days, hours, minutes, seconds } = Temporal.Duration.from(String(duration));
      const fields = { years, months, days, hours, minutes, seconds };
      expect(parts).toEqual(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value + 0])));
    }),
    { numRuns: 150, seed },
  );
});
