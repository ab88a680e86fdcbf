import type { TimeScale } from "./time-scale.ts";
import { LEAST_MS, type TimeWindow } from "./time-window.ts";

/** Room that a row gets on both sides when it is zoomed to, as a part of its length. */
const MARGIN = 0.1;

/**
 * Widens or narrows a window around its middle, or around a time in it. Works in places rather than in times, so that a
 * long wait counts only as much as it is drawn.
 *
 * @param whole - the scale of the whole span.
 * @param times - 0.5 shows half of the window, 2 twice as much.
 */
export function zoomBy(whole: TimeScale, window: TimeWindow, times: number, around?: number): TimeWindow {
  const [left, right] = [whole.place(window.from), whole.place(window.to)];
  const isInside = around !== undefined && around > window.from && around < window.to;
  const middle = isInside ? whole.place(around) : (left + right) / 2;
  const width = Math.min(100, (right - left) * times);
  return windowAt(whole, middle - width / 2, width);
}

/** Moves a window by a part of its width: 0.5 shows what comes next, -0.5 what came before. */
export function panBy(whole: TimeScale, window: TimeWindow, part: number): TimeWindow {
  const [left, right] = [whole.place(window.from), whole.place(window.to)];
  return windowAt(whole, left + (right - left) * part, right - left);
}

function windowAt(whole: TimeScale, left: number, width: number): TimeWindow {
  const from = Math.min(100 - width, Math.max(0, left));
  return { from: whole.timeAt(from), to: whole.timeAt(from + width) };
}

/** Returns the window that shows a row with some room around it. */
export function windowOf(whole: TimeWindow, from: number, to: number): TimeWindow {
  const margin = Math.max((to - from) * MARGIN, LEAST_MS / 2);
  return { from: Math.max(whole.from, from - margin), to: Math.min(whole.to, to + margin) };
}
