import type { TimelineRow } from "./timeline.ts";

/** A wait that would leave too little room for everything else; it is drawn with a fixed width. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** Where it is drawn, in percent of the width. */
  readonly x: number;
  readonly width: number;
}

/** Maps times to places. */
export interface TimeScale {
  readonly start: number;
  readonly end: number;
  readonly gaps: readonly Gap[];
  /** Returns the place of a time, in percent of the width. */
  place(time: number): number;
}

/** A wait longer than this part of the span is shortened. */
const LONG_PART = 0.2;
const GAP_WIDTH = 8;
const LONG_REASONS: ReadonlySet<string> = new Set(["approval", "callback", "input", "task", "fallback"]);

/** Creates the scale for the rows of an execution. */
export function createTimeScale(rows: readonly TimelineRow[], now: number): TimeScale {
  const start = Math.min(...rows.map(({ from }) => from), now);
  const last = rows.every(({ to }) => to !== undefined) ? Math.max(...rows.map(({ to }) => to ?? 0), start) : now;
  const end = Math.max(last, start + 1);
  const gaps = longGaps(rows, start, end);
  const idle = gaps.reduce((sum, { from, to }) => sum + (to - from), 0);
  const busy = Math.max(end - start - idle, 1);
  const widthOfBusy = 100 - gaps.length * GAP_WIDTH;
  const place = (time: number) => {
    let x = 0;
    let at = start;
    for (const gap of gaps) {
      if (time <= gap.from) break;
      x += ((gap.from - at) / busy) * widthOfBusy;
      x += Math.min(1, (time - gap.from) / (gap.to - gap.from)) * GAP_WIDTH;
      at = Math.min(time, gap.to);
    }
    return Math.min(100, Math.max(0, x + (Math.max(0, time - at) / busy) * widthOfBusy));
  };
  const placed = gaps.map(({ from, to }) => ({ from, to, x: place(from), width: GAP_WIDTH }));
  return { start, end, gaps: placed, place };
}

/** Returns the times in which nothing happened but a long wait. */
function longGaps(
  rows: readonly TimelineRow[],
  start: number,
  end: number,
): readonly { readonly from: number; readonly to: number }[] {
  const isWaiting = (row: TimelineRow) => row.type === "wait" && LONG_REASONS.has(row.reason);
  const work = rows
    .filter((row) => row.type !== "call" && row.type !== "note" && !isWaiting(row))
    .map(({ from, to }) => ({ from, to: to ?? end }))
    .sort((left, right) => left.from - right.from);
  const gaps: { from: number; to: number }[] = [];
  let until = start;
  for (const { from, to } of [...work, { from: end, to: end }]) {
    if (from - until > (end - start) * LONG_PART) gaps.push({ from: until, to: from });
    until = Math.max(until, to);
  }
  // With more, nothing would be left to draw.
  return gaps.slice(0, 6);
}
