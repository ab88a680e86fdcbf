import { describe, expect, it } from "vitest";
import { createTimeScale } from "../src/pages/execution/time-scale.ts";
import { formatWindow, parseWindow } from "../src/pages/execution/time-window.ts";
import type { TimelineRow } from "../src/pages/execution/timeline.ts";
import { panBy, windowOf, zoomBy } from "../src/pages/execution/zoom.ts";

const ORIGIN = Date.parse("2026-01-15T09:00:00.000Z");

function turn(from: number, to: number): TimelineRow {
  return {
    ...{
      type: "turn",
      key: `turn-${from}`,
      level: 1,
      kind: "ok",
      turn: 1,
      text: "",
      model: "scripted/turns",
      isCopied: false,
    },
    ...{ from: ORIGIN + from, to: ORIGIN + to },
  } as const;
}

/** Works for a second, waits for an hour, and works for a second. */
const ROWS = [turn(0, 1_000), turn(3_601_000, 3_602_000)];
const whole = createTimeScale(ROWS, ORIGIN);
const span = { from: whole.start, to: whole.end };
const inMs = ({ from, to }: { readonly from: number; readonly to: number }) => [from - ORIGIN, to - ORIGIN];

describe("the time scale", () => {
  it("draws a long wait with a fixed width, and everything else in proportion", () => {
    expect(whole.gaps).toEqual([{ from: ORIGIN + 1_000, to: ORIGIN + 3_601_000, x: 46, width: 8 }]);
    expect([0, 500, 1_000, 3_601_000, 3_602_000].map((ms) => whole.place(ORIGIN + ms))).toEqual([0, 23, 46, 54, 100]);
  });

  it("finds the time at a place", () => {
    for (const ms of [0, 250, 1_000, 1_801_000, 3_601_500, 3_602_000]) {
      expect(whole.timeAt(whole.place(ORIGIN + ms)) - ORIGIN).toBeCloseTo(ms, 3);
    }
  });

  it("shows a part of the time without waits that lie outside of it", () => {
    const scale = createTimeScale(ROWS, ORIGIN, { from: ORIGIN + 200, to: ORIGIN + 1_000 });
    expect(scale.gaps).toEqual([]);
    expect([0, 200, 600, 1_000, 3_601_500].map((ms) => scale.place(ORIGIN + ms))).toEqual([0, 0, 50, 100, 100]);
    expect(scale.origin).toBe(ORIGIN);
  });

  it("names round times, and counts from the end of a wait after it", () => {
    const long = createTimeScale([turn(0, 1_000), turn(3_601_000, 3_610_000)], ORIGIN);
    expect(long.ticks.map(({ text }) => text)).toEqual(["+ 5 s"]);
    const scale = createTimeScale([turn(0, 48_100)], ORIGIN);
    expect(scale.ticks.map(({ text }) => text)).toEqual(["20 s"]);
  });

  it("shows one moment, and nothing at all", () => {
    expect(createTimeScale([turn(5, 5)], ORIGIN).place(ORIGIN + 5)).toBe(0);
    expect(createTimeScale([], ORIGIN).place(ORIGIN)).toBe(0);
  });
});

describe("zoom", () => {
  it("shows half, around a time if it is given, and never more than everything", () => {
    const plain = createTimeScale([turn(0, 1_000)], ORIGIN);
    const all = { from: plain.start, to: plain.end };
    const half = zoomBy(plain, all, 0.5);
    expect(inMs(half)).toEqual([250, 750]);
    expect(inMs(zoomBy(plain, all, 0.5, ORIGIN + 900))).toEqual([500, 1_000]);
    expect(inMs(zoomBy(plain, half, 2))).toEqual([0, 1_000]);
    expect(inMs(zoomBy(plain, half, 8))).toEqual([0, 1_000]);
  });

  it("counts a long wait as wide as it is drawn", () => {
    const [from, to] = inMs(zoomBy(whole, span, 0.46, ORIGIN + 500));
    expect(from).toBeCloseTo(0, 3);
    expect(to).toBeCloseTo(1_000, 3);
  });

  it("moves by a part of what is shown, and stops at the ends", () => {
    const plain = createTimeScale([turn(0, 1_000)], ORIGIN);
    const window = { from: ORIGIN + 400, to: ORIGIN + 600 };
    expect(inMs(panBy(plain, window, 0.5)).map(Math.round)).toEqual([500, 700]);
    expect(inMs(panBy(plain, window, -5)).map(Math.round)).toEqual([0, 200]);
    expect(inMs(panBy(plain, window, 50)).map(Math.round)).toEqual([800, 1_000]);
  });

  it("leaves room around a row, but none outside of the execution", () => {
    expect(inMs(windowOf(span, ORIGIN, ORIGIN + 100))).toEqual([0, 110]);
  });
});

describe("the window in the address", () => {
  const all = { from: ORIGIN, to: ORIGIN + 1_000 };

  it("is in ms from the start, and absent if everything is shown", () => {
    expect(formatWindow({ from: ORIGIN + 200.7, to: ORIGIN + 600.2 }, all)).toBe("200-601");
    expect(parseWindow("200-601", ORIGIN)).toEqual({ from: ORIGIN + 200, to: ORIGIN + 601 });
    expect(formatWindow(all, all)).toBeUndefined();
  });

  it("stays long enough to be read", () => {
    expect(formatWindow({ from: ORIGIN + 1_000, to: ORIGIN + 1_000 }, all)).toBe("998-1000");
    expect(formatWindow({ from: ORIGIN + 5, to: ORIGIN + 5 }, all)).toBe("5-7");
  });

  it.each([undefined, "", "600-200", "5-6", "a-b", "-5-10", "1e9-2e9", "0-9999999999999"])("ignores %j", (text) => {
    expect(parseWindow(text, ORIGIN)).toBeUndefined();
  });
});
