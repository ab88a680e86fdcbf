import type { ContentWarning } from "../port.ts";
import { INJECTION_PATTERNS } from "./injection-patterns.ts";
import { hasHiddenText, withoutInvisible } from "./invisible-characters.ts";

/** What is looked at, from the beginning. */
const MAX_CHARACTERS = 200_000;
/** The marks of frames that results stand in. */
const FORGED_FRAME =
  /<\s*\/?\s*tool_response\b|\[\s*(?:begin|end)[\s-]+untrusted[\s-]+content\b|<\s*\/?\s*(?:untrusted|external)[_-](?:content|data)\b/i;

/**
 * Says which parts of a text look as if they were written to steer a model. It recognises what attacks commonly look
 * like: that it finds nothing proves nothing. The time grows with the length of the text alone.
 *
 * @returns at most one warning of each code; none quotes the text.
 */
export function findInjections(text: string): readonly ContentWarning[] {
  const looked = text.slice(0, MAX_CHARACTERS);
  const plain = toPlain(looked);
  const warnings: ContentWarning[] = [];
  if (hasHiddenText(looked)) {
    warnings.push({
      code: "INVISIBLE_CHARACTERS",
      message: "the content holds invisible characters, which may carry a hidden text",
    });
  }
  if (FORGED_FRAME.test(withLatinLetters(plain))) {
    warnings.push({
      code: "FORGED_FRAME",
      message: "the content holds marks that look like the end of the frame that it stands in; it does not end there",
    });
  }
  for (const { code, message, patterns } of INJECTION_PATTERNS) {
    if (patterns.some((pattern) => pattern.test(plain))) warnings.push({ code, message });
  }
  return warnings;
}

/** Letters of Cyrillic and Greek that look like those of the frames' marks. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "\u0430": "a",
  "\u0435": "e",
  "\u0456": "i",
  "\u043E": "o",
  "\u03BF": "o",
  "\u0440": "p",
  "\u0441": "c",
  "\u0455": "s",
  "\u0501": "d",
  "\u0578": "n",
  "\u057D": "u",
  "\u0442": "t",
};

function withLatinLetters(plain: string): string {
  return plain
    .toLowerCase()
    .replace(/[\u03BF\u0430-\u057D]/g, (letter) => LOOK_ALIKES[letter] ?? letter)
    .replace(/\p{Pd}/gu, "-");
}

/** As a reader sees it: nothing invisible, one form of each letter, runs of blanks and of blank lines as one. */
function toPlain(text: string): string {
  return withoutInvisible(text)
    .normalize("NFKC")
    .slice(0, MAX_CHARACTERS)
    .replace(/[^\S\n]+/g, " ")
    .replace(/\n(?: ?\n)+ ?/g, "\n\n");
}
