/**
 * Characters that a reader does not see and a model does: tags (U+E0000 to U+E007F), whose letters spell a hidden text;
 * what turns the direction of writing; runs of zero-width characters and of hidden selectors, which can spell one too.
 */
const TAGS = /[\u{E0020}-\u{E007E}]{3,}/u;
/** Flags of regions are spelled with tags after a black flag. */
const FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{1,8}\u{E007F}/gu;
const OVERRIDES = /[\u202D\u202E]/;
const RUNS = /[\u200B\u200C\u2060-\u2064\uFEFF]{4,}|[\u{E0100}-\u{E01EF}]{3,}|[\uFE00-\uFE0D]{4,}/u;
const FORMAT = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether a text holds characters that nobody sees and that could carry a text of their own. */
export function hasHiddenText(text: string): boolean {
  return OVERRIDES.test(text) || RUNS.test(text) || TAGS.test(text.replace(FLAG, ""));
}

/** The text without characters that nobody sees, those of a hidden text as the letters that they stand for. */
export function withoutInvisible(text: string): string {
  return text
    .replace(FLAG, "")
    .replace(/[\u{E0020}-\u{E007E}]/gu, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0xe0020) - 0xe0000))
    .replace(FORMAT, "");
}
