/**
 * Matches a run of tag characters, which can spell hidden text. Like direction marks and runs of zero-width characters
 * and variation selectors, they are invisible to readers but not to models.
 */
const TAGS = /[\u{E0020}-\u{E007E}]{3,}/u;
/** Matches regional flags, which consist of a black flag and tag characters. */
const FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{1,8}\u{E007F}/gu;
const OVERRIDES = /[\u202D\u202E]/;
const RUNS = /[\u200B\u200C\u2060-\u2064\uFEFF]{4,}|[\u{E0100}-\u{E01EF}]{3,}|[\uFE00-\uFE0D]{4,}/u;
const FORMAT = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns whether a text contains invisible characters that could carry hidden text. */
export function hasHiddenText(text: string): boolean {
  return OVERRIDES.test(text) || RUNS.test(text) || TAGS.test(text.replace(FLAG, ""));
}

/** Removes invisible characters from a text; tag characters become the letters that they encode. */
export function withoutInvisible(text: string): string {
  return text
    .replace(FLAG, "")
    .replace(/[\u{E0020}-\u{E007E}]/gu, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0xe0020) - 0xe0000))
    .replace(FORMAT, "");
}
