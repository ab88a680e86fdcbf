import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { removeInvisible, toVisibleLine, toVisibleText } from "../src/visible-text.ts";

describe.each([
  ["toVisibleText", toVisibleText],
  ["toVisibleLine", toVisibleLine],
])("%s", (_name, show) => {
  it.each<[string, string]>([
    ["plain text", "Refund ORD-7: 30 €, Zürich, 注文 😀"],
    ["Arabic with vowel signs and a verse sign", "مُحَمَّدٌ ۝١"],
    ["Persian with a non-joiner between joining letters", "می\u200cخواهم"],
    ["Hebrew with points", "שָׁלוֹם"],
    ["Hindi with a joiner after a virama", "क्\u200dष"],
    ["Bengali with a joiner before a virama", "র\u200d্য"],
    ["Sinhala with a joiner", "ශ්\u200dරී ලංකා"],
    ["Malayalam in its old spelling", "ന്\u200d"],
    ["Thai with two signs on a letter", "น้ำ ที่"],
    ["Vietnamese, decomposed", "Việt Nam".normalize("NFD")],
    ["Tibetan stacks", "ཧཱུྃ བསྒྲུབས"],
    ["an emoji of several, with a joiner", "👩\u200d💻"],
    ["an emoji with its selector", "❤\ufe0f"],
    ["a key as an emoji", "1\ufe0f\u20e3"],
    ["flags, one of them in tags", "🇩🇪 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"],
    ["the blank of Japanese between two of its letters", "注文\u3000番号"],
  ])("leaves %s", (_what, text) => {
    expect(show(text)).toBe(text);
  });

  it.each<[string, string, string]>([
    ["a turned direction", "ORD\u202e7-DRO", "ORD\\u202e7-DRO"],
    ["an isolated direction", "\u2066a\u2069", "\\u2066a\\u2069"],
    ["marks of a direction", "a\u200e\u200f\u061cb", "a\\u200e\\u200f\\u061cb"],
    ["no width", "pay\u200bpal\u2060.example\ufeff", "pay\\u200bpal\\u2060.example\\ufeff"],
    ["a soft hyphen", "pay\u00adpal", "pay\\u00adpal"],
    ["control characters", "a\u0000b\u001b[31mc\r", "a\\u0000b\\u001b[31mc\\u000d"],
    ["a terminal's command, and one in C1", "\u001b]0;x\u0007\u009b2J", "\\u001b]0;x\\u0007\\u009b2J"],
    ["line and paragraph separators", "a\u2028b\u2029\u0085", "a\\u2028b\\u2029\\u0085"],
    ["text in tag characters", "a\u{e0041}", "a\\udb40\\udc41"],
    ["variation selectors", "a\u{e0101}\ufe0f", "a\\udb40\\udd01\\ufe0f"],
    ["a selector that an emoji does not need", "😀\ufe0f", "😀\\ufe0f"],
    ["a joiner between emoji that are none together", "😀\u200d😀", "😀\\u200d😀"],
    ["a joiner between letters of Latin", "a\u200db\u200cc", "a\\u200db\\u200cc"],
    ["a non-joiner after a letter that joins nothing", "د\u200cاد", "د\\u200cاد"],
    ["two non-joiners in a row", "می\u200c\u200cخ", "می\\u200c\\u200cخ"],
    ["fillers of Hangul", "a\u115f\u1160\u3164\uffa0", "a\\u115f\\u1160\\u3164\\uffa0"],
    ["the empty pattern of braille", "a\u2800", "a\\u2800"],
    ["a separator of Mongolian", "a\u180eb", "a\\u180eb"],
    ["interlinear annotation, and the place of an object", "\ufff9a\ufffb\ufffc", "\\ufff9a\\ufffb\\ufffc"],
    ["private characters", "\ue000\u{f0000}", "\\ue000\\udb80\\udc00"],
    ["halves of a pair", "a\ud800b\udc00", "a\\ud800b\\udc00"],
    ["what is no character", "\uffff", "\\uffff"],
    ["more than five marks on a letter", `Z${"\u0300\u0301\u0302\u0303\u0304\u0305\u0306"}`, "Z̀́̂̃̄\\u0305\\u0306"],
    ["a mark that repeats the one before", "e\u0301\u0301", "e\u0301\\u0301"],
    ["a mark without a letter", "\u0301a \u0301", "\\u0301a \\u0301"],
    ["a joiner of graphemes", "a\u034fb", "a\\u034fb"],
  ])("shows %s", (_what, text, shown) => {
    expect(show(text)).toBe(shown);
  });

  it("leaves what was shown before", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(show(show(text))).toBe(show(text));
      }),
    );
  });

  it("leaves JSON the JSON of the same value", () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.array(hostile)), (value) => {
        expect(JSON.parse(show(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

it("toVisibleText leaves lines, tabs and blanks", () => {
  expect(toVisibleText("  a\n\tb  30\u00a0€\n")).toBe("  a\n\tb  30\u00a0€\n");
});

describe("toVisibleLine", () => {
  it.each<[string, string, string]>([
    ["line breaks and tabs", "a\nb\r\n\tc", "a\\nb\\u000d\\n\\tc"],
    ["runs of blanks", "a   b", "a \\u0020\\u0020b"],
    ["blanks at both ends", " a ", "\\u0020a\\u0020"],
    ["other blanks", "30\u00a0€\u2003\u202f\u1680", "30\\u00a0€\\u2003\\u202f\\u1680"],
    ["the blank of Japanese anywhere else", "a\u3000b\u3000", "a\\u3000b\\u3000"],
    ["a blank alone", " ", "\\u0020"],
    ["nothing", "", ""],
  ])("shows %s", (_what, text, shown) => {
    expect(toVisibleLine(text)).toBe(shown);
  });

  it("is one line of what can be seen, whatever it is made of", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = toVisibleLine(text);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Co}]|\s{2}|^\s|\s$|\p{M}{6}/u);
        expect(line.replaceAll(/\u200c|\u200d|\ufe0f/g, "")).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f]/);
      }),
    );
  });

  it("never shows two texts alike that differ in what can't be seen alone", () => {
    const unseen = fc.constantFrom(...UNSEEN);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 8 }), fc.nat(8), unseen, (name, at, character) => {
        const changed = name.slice(0, at) + character + name.slice(at);
        expect(toVisibleLine(changed)).not.toBe(toVisibleLine(name));
      }),
    );
  });

  it("takes a time that grows as the text does", () => {
    const long = ["\u0301", " ", "\u200b", "م\u0301", "👩\u200d", "\u3000"].map((part) => part.repeat(50_000));
    const before = process.cpuUsage();
    for (const text of long) expect(toVisibleLine(text).length).toBeGreaterThan(0);
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });
});

describe("removeInvisible", () => {
  it("leaves what toVisibleText shows as it is, and says what it took out", () => {
    const removed: string[] = [];
    const text = "Reads\u202e a\u200b review: می\u200cخ 👩\u200d💻\n";
    expect(removeInvisible(text, (found) => removed.push(found))).toBe("Reads a review: می\u200cخ 👩\u200d💻\n");
    expect(removed).toEqual(["\u202e", "\u200b"]);
  });

  it("takes out a run at once, so that a text of nothing else costs little time", () => {
    const removed: string[] = [];
    const run = "\u200b\u202e\u3164\u2028\u00ad".repeat(10_000);
    expect(removeInvisible(`a${run}b`, (found) => removed.push(found))).toBe("ab");
    expect(removed).toEqual([run]);
  });

  it("leaves nothing that toVisibleText would escape, also where others stood between", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const rest = removeInvisible(text);
        expect(toVisibleText(rest)).toBe(rest);
      }),
    );
  });
});

const UNSEEN = [
  ..."\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\u3164\u115f\u2800\ufe0f\u180e\u034f\u2028\u0085\ud800",
  ..."\u{e0100}\u{e0041}",
];

/** What attacks are made of, and what they hide among. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...UNSEEN, " ", "\n", "\t", "\r", "\u001b[2J", "\u0301", "\u0302", "\u3000", "\u00a0", "\\", '"'),
      fc.constantFrom("a", "क्", "ष", "م", "د", "👩", "💻", "1", "\u20e3", "注", "\\u200b"),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));
