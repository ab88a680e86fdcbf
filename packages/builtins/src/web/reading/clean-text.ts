import type { ContentWarning } from "../port.ts";

// Of no width, or changing the order in which others are shown; the tag characters spell ASCII that nobody sees.
const INVISIBLE =
  /[\u200B\u2060-\u2064\u206A-\u206F\uFEFF\u180E\u115F\u1160\u3164\uFFA0\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E0FFF}]/gu;
// What joins or parts letters of the scripts that need it, and emoji; anywhere else it only hides.
const JOINER = /[\u200C\u200D]/u;
const JOINERS = /[\u200C\u200D]+/g;
/** Of letters that are joined: the first after those of Latin and what modifies them. */
const FIRST_JOINED = 0x0300;
/** More in a row join nothing, and can spell a text. */
const MAX_JOINERS = 4;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\u00AD\u200E\u200F]/g;

/** A text without what nobody sees in it. */
export interface CleanedText {
  readonly text: string;
  /** Characters of no width, marks that change the order of others, and tag characters. */
  readonly invisible: number;
}

/** Takes out what nobody sees, and makes line ends of one kind. */
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

/** What a reader should know of characters that were taken out. */
export function invisibleWarnings(count: number): readonly ContentWarning[] {
  if (count === 0) return [];
  const message = `${count} invisible characters (of no width, reversing the direction, or tags) were taken out`;
  return [{ code: "INVISIBLE_CHARACTERS", message }];
}
