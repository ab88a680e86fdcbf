import { type Tick, ticksOf } from "./ticks.ts";
import type { Piece, TimeWindow } from "./time-window.ts";
import type { TimelineRow } from "./timeline.ts";

/** Maps times to places. */
export interface TimeScale {
  /** The start of the execution, from which times are counted. */
  readonly origin: number;
  /** The times at the left and at the right. */
  readonly start: number;
  readonly end: number;
  /** Waits that would leave too little room for everything else; they are drawn with a fixed width. */
  readonly gaps: readonly Piece[];
  readonly ticks: readonly Tick[];
  /** Returns the place of a time, in percent of the width. */
  place(time: number): number;
  /** Returns the time at a place, in percent of the width. */
  timeAt(x: number): number;
}

/** A wait longer than this part of the span is shortened. */
const LONG_PART = 0.2;
const GAP_WIDTH = 8;
/** With more, nothing would be left to draw. */
const MOST_GAPS = 6;
const LONG_REASONS: ReadonlySet<string> = new Set(["approval", "callback", "input", "task", "fallback"]);

/**
 * Creates the scale for the rows of an execution.
 *
 * @param window - the part of the span that is shown; all of it by default.
 */
export function createTimeScale(rows: readonly TimelineRow[], now: number, window?: TimeWindow): TimeScale {
  const whole = spanOf(rows, now);
  const start = window?.from ?? whole.from;
  const end = window?.to ?? whole.to;
  const gaps = longGaps(rows, start, end);
  const pieces = piecesOf(start, end, gaps);
  const place = (time: number) => {
    const piece = pieces.find(({ to }) => time <= to) ?? pieces.at(-1);
    if (piece === undefined) return 0;
    return piece.x + clamp((time - piece.from) / (piece.to - piece.from)) * piece.width;
  };
  const timeAt = (at: number) => {
    const piece = pieces.find(({ x, width }) => at <= x + width) ?? pieces.at(-1);
    if (piece === undefined || piece.width === 0) return start;
    return piece.from + clamp((at - piece.x) / piece.width) * (piece.to - piece.from);
  };
  const isGap = ({ from }: TimeWindow) => gaps.some((gap) => gap.from === from);
  const placed = pieces.filter(isGap);
  const busy = pieces.filter((piece) => !isGap(piece));
  return { origin: whole.from, start, end, gaps: placed, ticks: ticksOf(busy, whole.from), place, timeAt };
}

const clamp = (part: number) => Math.min(1, Math.max(0, part));

/** Returns the time from the first row to the end of the last one. */
export function spanOf(rows: readonly TimelineRow[], now: number): TimeWindow {
  const from = rows.reduce(
    (least, row) => Math.min(least, row.from),
    rows.length === 0 ? now : Number.POSITIVE_INFINITY,
  );
  const last = rows.reduce((most, { to }) => Math.max(most, to ?? now), from);
  return { from, to: Math.max(last, from + 1) };
}

function piecesOf(start: number, end: number, gaps: readonly TimeWindow[]): readonly Piece[] {
  const idle = gaps.reduce((sum, { from, to }) => sum + (to - from), 0);
  const busy = end - start - idle;
  const widthOfBusy = busy > 0 ? 100 - gaps.length * GAP_WIDTH : 0;
  const widthOfGap = busy > 0 ? GAP_WIDTH : 100 / Math.max(gaps.length, 1);
  const pieces: Piece[] = [];
  let x = 0;
  const add = (from: number, to: number, width: number) => {
    if (to <= from) return;
    pieces.push({ from, to, x, width });
    x += width;
  };
  let at = start;
  for (const { from, to } of gaps) {
    add(at, from, ((from - at) / busy) * widthOfBusy);
    add(from, to, widthOfGap);
    at = to;
  }
  add(at, end, ((end - at) / busy) * widthOfBusy);
  return pieces;
}

/** Returns the times in which nothing happened but a long wait. */
function longGaps(rows: readonly TimelineRow[], start: number, end: number): readonly TimeWindow[] {
  const isWaiting = (row: TimelineRow) => row.type === "wait" && LONG_REASONS.has(row.reason);
  // A call without rows below it runs inside the gateway; the others work only while their attempts do.
  const isEmpty = (index: number) => (rows[index + 1]?.level ?? 0) < 3;
  const work = rows
    .filter((row, index) => row.type !== "note" && !isWaiting(row) && (row.type !== "call" || isEmpty(index)))
    .map(({ from, to }) => ({ from: Math.max(from, start), to: Math.min(to ?? end, end) }))
    .filter(({ from, to }) => from <= to)
    .sort((left, right) => left.from - right.from);
  const gaps: TimeWindow[] = [];
  let until = start;
  for (const { from, to } of [...work, { from: end, to: end }]) {
    if (from - until > (end - start) * LONG_PART) gaps.push({ from: until, to: from });
    until = Math.max(until, to);
  }
  return gaps.slice(0, MOST_GAPS);
}
