import { toVisibleLine } from "@yagate/protocol";
import { styled } from "../../frame/style-text.ts";
import { clockTime } from "../../text/clock-time.ts";
import { cutToWidth, displayWidth } from "../../text/display-width.ts";
import type { LogEntry } from "./log-entry.ts";

const MARKS = { step: " ", done: "✓", failed: "✕", waiting: "●" } as const;
const COLORS = { done: "green", failed: "red", waiting: "yellow" } as const;
/** How much of an id a terminal shows: its kind and its last characters, in which ids differ. */
const ID_END = 4;
/** Minimum number of columns for the text, even on a narrower terminal. */
const MIN_COLUMNS = 20;

/**
 * Formats an entry as lines.
 *
 * @param columns - width of the terminal. Ids are shortened, and lines are cut to this width unless they report a
 *   failure or a wait. Undefined if the output is not a terminal: nothing is cut.
 */
export function formatEntry({ at, id: fullId, kind, text, details }: LogEntry, columns: number | undefined): string {
  const id = columns === undefined ? fullId : shortId(fullId);
  const prefix = `${clockTime(at)} ${id} ${MARKS[kind]} `;
  const line = toVisibleLine(text);
  // Failures and waits are shown in full.
  const mayCut = columns !== undefined && (kind === "step" || kind === "done");
  const shown = mayCut ? cutToWidth(line, Math.max(MIN_COLUMNS, columns - displayWidth(prefix))) : line;
  const marked = `${MARKS[kind]} ${shown}`;
  const first = `${styled("dim", `${clockTime(at)} ${id}`)} ${kind === "step" ? marked : styled(COLORS[kind], marked)}`;
  return [first, ...details.map((detail) => `    ${toVisibleLine(detail)}`)].join("\n");
}

function shortId(id: string): string {
  const separator = id.indexOf("_") + 1;
  if (separator === 0) return id;
  return `${id.slice(0, separator)}…${id.slice(-ID_END)}`;
}
