import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import type { ContentWarning } from "../web/port.ts";

/**
 * Number of UTF-16 code units to search before yielding. Searching more without a pause would block the event loop for
 * too long.
 */
const PIECE_CHARACTERS = 65_536;
/** Characters that consecutive chunks share. Longer than any match, so that no match is missed between chunks. */
const OVERLAP_CHARACTERS = 1_024;

/**
 * Searches a long text chunk by chunk, and yields to the event loop in between.
 *
 * @returns at most one warning for each code.
 */
export async function warningsInText(
  text: string,
  find: (piece: string) => readonly ContentWarning[],
  signal: AbortSignal,
): Promise<readonly ContentWarning[]> {
  const found = new Map<string, ContentWarning>();
  for (let start = 0; start < text.length && !signal.aborted; start += PIECE_CHARACTERS) {
    if (start > 0) await yieldToEventLoop();
    const piece = text.slice(start, start + PIECE_CHARACTERS + OVERLAP_CHARACTERS);
    for (const warning of find(piece)) found.set(warning.code, warning);
  }
  return [...found.values()];
}
