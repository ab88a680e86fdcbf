import type { ContentWarning } from "../port.ts";
import { INJECTION_PATTERNS } from "./injection-patterns.ts";
import { hasHiddenText, withoutInvisible } from "./invisible-characters.ts";

/** Maximum number of characters that are searched, counted from the start of the text. */
const MAX_CHARACTERS = 200_000;
/** Matches the tags of frames around results. */
const FORGED_FRAME =
  /<\s*\/?\s*tool_response\b|\[\s*(?:begin|end)[\s-]+untrusted[\s-]+content\b|<\s*\/?\s*(?:untrusted|external)[_-](?:content|data)\b/i;

/**
 * Reports the parts of a text that look like attempts to steer a model. Only common forms of attacks are recognised, so
 * a text without warnings may still contain an attack. Takes linear time.
 *
 * @returns at most one warning for each code; no warning quotes the text.
 */
export function findInjections(text: string): readonly ContentWarning[] {
  const looked = text.slice(0, MAX_CHARACTERS);
  const plain = toPlain(looked);
  const warnings: ContentWarning[] = [];
  if (hasHiddenText(looked)) {
    warnings.push({
      code: "INVISIBLE_CHARACTERS",
      message: "the content contains invisible characters, which may carry hidden text",
    });
  }
  if (FORGED_FRAME.test(withLatinLetters(plain))) {
    warnings.push({
      code: "FORGED_FRAME",
      message: "the content contains marks that look like the end of its frame; the frame does not end there",
    });
  }
  for (const { code, message, patterns } of INJECTION_PATTERNS) {
    if (patterns.some((pattern) => pattern.test(plain))) warnings.push({ code, message });
  }
  return warnings;
}

/** Cyrillic and Greek letters that resemble letters in frame tags. */
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

/**
 * Returns the text as a reader sees it: without invisible characters, and with letters, spaces and blank lines
 * normalised.
 */
function toPlain(text: string): string {
  return withoutInvisible(text)
    .normalize("NFKC")
    .slice(0, MAX_CHARACTERS)
    .replace(/[^\S\n]+/g, " ")
    .replace(/\n(?: ?\n)+ ?/g, "\n\n");
}
