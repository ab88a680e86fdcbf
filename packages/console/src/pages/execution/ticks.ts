import type { Piece } from "./time-window.ts";

/** A time that the scale names. */
export interface Tick {
  /** In percent of the width. */
  readonly x: number;
  readonly text: string;
}

/** About so many ticks fit beside each other. */
const TICKS = 4;
/** The least room of the text of a tick, in percent. */
const ROOM = 15;
const STEPS = [1, 2, 5, 10];
const MINUTE_MS = 60_000;
const LONG_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

function stepOf(span: number): number {
  const least = span / TICKS;
  if (least > MINUTE_MS / 2)
    return LONG_STEPS.find((step) => step >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}

function tickText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < MINUTE_MS) return `${ms / 1_000} s`;
  return ms < 60 * MINUTE_MS ? `${ms / MINUTE_MS} min` : `${Math.round(ms / (6 * MINUTE_MS)) / 10} h`;
}

/** Names round times. After a gap, they count from its end. */
export function ticksOf(pieces: readonly Piece[], origin: number): readonly Tick[] {
  const step = stepOf(pieces.reduce((sum, { from, to }) => sum + (to - from), 0));
  return pieces.flatMap(({ from, to, x, width }, index) => {
    const zero = index === 0 ? origin : from;
    const first = Math.floor((from - zero) / step) + 1;
    // The end has a text of its own.
    const end = x + width - (index === pieces.length - 1 ? 2 * ROOM : ROOM);
    const ticks: Tick[] = [];
    for (let count = first; zero + count * step < to; count += 1) {
      const at = x + ((zero + count * step - from) / (to - from)) * width;
      const isClear = at - x >= (index === 0 ? ROOM : 0) && at - (ticks.at(-1)?.x ?? -ROOM) >= ROOM && at <= end;
      if (isClear) ticks.push({ x: at, text: `${index === 0 ? "" : "+ "}${tickText(count * step)}` });
    }
    return ticks;
  });
}
