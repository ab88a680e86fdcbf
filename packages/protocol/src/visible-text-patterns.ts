/** Patterns that match what must be escaped in untrusted text. A match with the group `kept` stays unchanged. */
export interface VisibleTextPatterns {
  /** Matches whenever `inText` could match. Most texts contain nothing to escape, and the full patterns are slow. */
  readonly mayHide: RegExp;
  readonly inText: RegExp;
  readonly inLine: RegExp;
}

/** Creates the patterns. Call this on first use, so that importing the module costs nothing. */
export function createVisibleTextPatterns(): VisibleTextPatterns {
  // Format characters that are visible, such as signs for numbers and verses.
  const seen = String.raw`\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
  // Letters and symbols without a glyph: the empty braille pattern, the object replacement character, the null
  // notehead, and fillers.
  const empty = String.raw`\u2800\uFFFC\u{1D159}\u{13441}\u{13442}\u{16FE4}`;
  const hidden = String.raw`[[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}${empty}]--[${seen}]--[\p{Cn}--\p{Default_Ignorable_Code_Point}--\p{Noncharacter_Code_Point}]]`;

  // Arabic letters that join the next letter: all letters except those that join only the previous letter or no letter.
  const rightJoining = String.raw`\u0622-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2\u06D3\u06D5\u06EE\u06EF\u0759-\u075B\u076B\u076C\u0771\u0773\u0774\u0778\u0779\u08AA-\u08AC\u08AE\u08B1\u08B2\u08B9`;
  const notJoining = String.raw`\u0621\u0674\u08AD`;
  const arabic = String.raw`[[\p{Script=Arabic}&&\p{L}]--[${notJoining}]]`;
  const joiningOn = String.raw`[[\p{Script=Arabic}&&\p{L}]--[${rightJoining}${notJoining}]]`;
  const virama = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
  const indic = String.raw`[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]`;

  const kept = [
    // Without the lookahead, every character would be compared with thousands of sequences.
    String.raw`(?=\p{Emoji})\p{RGI_Emoji}`,
    String.raw`(?<=${joiningOn}\p{Mn}{0,5})\u200C(?=${arabic})`,
    String.raw`(?<=${virama})[\u200C\u200D](?=[${indic}&&\p{L}])`,
    String.raw`(?<=[${indic}&&\p{L}])\u200D(?=${virama})`,
    // The older spelling of Malayalam letters without a vowel, which end a word.
    String.raw`(?<=\u0D4D)\u200D`,
  ].join("|");

  // Characters that are hidden in any context are matched in runs, because matching them one at a time takes ten times
  // as long.
  const mayStay = String.raw`\u200C\u200D\uFE0F\u{E0020}-\u{E007F}\p{M}`;
  const run = (others = "") => `[${hidden}--[${mayStay}${others}]]+`;

  const marks = [
    // Marks without a base letter: they would combine with the character before the text.
    String.raw`(?<=^|[\p{Z}[\p{C}--[\u200C\u200D]]${empty}])\p{M}+`,
    String.raw`(?<=\p{M}{5})\p{M}+`,
    String.raw`(?<=(?<mark>\p{Mn}))\k<mark>`,
  ].join("|");

  const blanks = [
    String.raw`^\x20|\x20$|(?<=\x20)\x20|[\p{Zs}--[\x20\u3000]]`,
    // The ideographic space, unless it is between two Chinese or Japanese letters.
    String.raw`(?<![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])\u3000|\u3000(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])`,
  ].join("|");

  // The flag `v` is newer than the compiler's target, but all supported runtimes have it.
  return {
    mayHide: new RegExp(String.raw`[[${hidden}\p{M}]--[\n\t]]`, "v"),
    inText: new RegExp(String.raw`${run(String.raw`\n\t`)}|(?<kept>${kept}|[\n\t])|${hidden}|${marks}`, "gv"),
    inLine: new RegExp(`${run()}|(?<kept>${kept})|${hidden}|${marks}|${blanks}`, "gv"),
  };
}
