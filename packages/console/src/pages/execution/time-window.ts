/** A part of the time of an execution, in ms since the epoch. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** A part of the span with one scale: its times lie from `x` to `x + width`, in percent of the width. */
export interface Piece extends TimeWindow {
  readonly x: number;
  readonly width: number;
}

/** The shortest window, in ms. */
export const LEAST_MS = 2;
const FORM = /^(\d{1,12})-(\d{1,12})$/;

/** Reads `1200-5600`: ms from the start of the execution. Returns undefined for anything else. */
export function parseWindow(text: string | undefined, origin: number): TimeWindow | undefined {
  const found = FORM.exec(text ?? "");
  if (found === null) return undefined;
  const [from, to] = [Number(found[1]), Number(found[2])];
  return to - from < LEAST_MS ? undefined : { from: origin + from, to: origin + to };
}

/** Writes a window as the address contains it; undefined if it is the whole span. */
export function formatWindow(window: TimeWindow, whole: TimeWindow): string | undefined {
  const from = Math.max(0, Math.floor(window.from - whole.from));
  const most = Math.ceil(whole.to - whole.from);
  const to = Math.min(most, Math.max(Math.ceil(window.to - whole.from), from + LEAST_MS));
  return from === 0 && to >= most ? undefined : `${Math.min(from, Math.max(0, to - LEAST_MS))}-${to}`;
}
