import type { ContentWarning } from "../port.ts";

// Zero-width characters, direction marks and tag characters. Tag characters encode invisible ASCII.
const INVISIBLE =
  /[\u200B\u2060-\u2064\u206A-\u206F\uFEFF\u180E\u115F\u1160\u3164\uFFA0\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E0FFF}]/gu;
// Joiners are meaningful in some scripts and in emoji. Elsewhere they can only hide text.
const JOINER = /[\u200C\u200D]/u;
const JOINERS = /[\u200C\u200D]+/g;
/** The first character after the Latin letters and their modifiers. */
const FIRST_JOINED = 0x0300;
/** Maximum number of consecutive joiners. Longer runs have no visible effect and can encode text. */
const MAX_JOINERS = 4;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\u00AD\u200E\u200F]/g;

/** A text without invisible characters. */
export interface CleanedText {
  readonly text: string;
  /** Number of removed zero-width characters, direction marks and tag characters. */
  readonly invisible: number;
}

/** Removes invisible characters, and normalises line ends. */
export function cleanText(raw: string): CleanedText {
  let invisible = 0;
  const drop = (match: string) => {
    invisible += [...match].length;
    return "";
  };
  let text = raw
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(CONTROL, "")
    .replace(INVISIBLE, drop);
  if (JOINER.test(text)) {
    text = text.replace(JOINERS, (run: string, at: number, whole: string) => {
      const isBetween = isJoined(whole, at - 1) && isJoined(whole, at + run.length);
      return isBetween && run.length <= MAX_JOINERS ? run : drop(run);
    });
  }
  return { text: text.toWellFormed(), invisible };
}

function isJoined(text: string, at: number): boolean {
  return at >= 0 && at < text.length && text.charCodeAt(at) >= FIRST_JOINED;
}

/** Returns the warning about removed characters; empty if none were removed. */
export function invisibleWarnings(count: number): readonly ContentWarning[] {
  if (count === 0) return [];
  const message = `${count} invisible characters (zero-width, direction marks or tags) were removed`;
  return [{ code: "INVISIBLE_CHARACTERS", message }];
}
