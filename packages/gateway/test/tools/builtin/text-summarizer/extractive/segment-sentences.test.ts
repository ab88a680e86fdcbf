import { describe, expect, it } from "vitest";
import { segmentSentences } from "../../../../../src/tools/builtin/text-summarizer/extractive/segment-sentences.ts";
import { DEVIATIONS, GOLDEN_RULES } from "./golden-rules.ts";

function sentencesOf(text: string, language = "en"): readonly string[] {
  return [...segmentSentences(text, language)].map(({ start, end }) => text.slice(start, end));
}

function bodyOf(text: string, language = "en"): readonly string[] {
  return [...segmentSentences(text, language)]
    .filter(({ kind }) => kind !== "heading")
    .map(({ start, end }) => text.slice(start, end));
}

const followed = GOLDEN_RULES.filter(({ rule }) => !Object.hasOwn(DEVIATIONS, rule));
const deviating = GOLDEN_RULES.filter(({ rule }) => Object.hasOwn(DEVIATIONS, rule));

describe("the Golden Rules of Pragmatic Segmenter", () => {
  it.each(followed)("hold: $rule", ({ language, sentences, text = sentences.join(" ") }) => {
    expect(sentencesOf(text, language)).toEqual(sentences);
  });

  it.each(deviating)("are not followed: $rule", ({ rule, language, sentences, text = sentences.join(" ") }) => {
    expect(sentencesOf(text, language), DEVIATIONS[rule]).not.toEqual(sentences);
  });

  it("are at least 60 that hold", () => {
    expect(followed.length).toBeGreaterThanOrEqual(60);
    expect(deviating.map(({ rule }) => rule).sort()).toEqual(Object.keys(DEVIATIONS).sort());
  });
});

describe("sentences of documents", () => {
  it.each<[string, string, readonly string[]]>([
    ["a heading is none", "# Title\n\nIt is one. It is two.", ["It is one.", "It is two."]],
    ["an underlined heading is none", "Title\n=====\n\nIt is one.", ["It is one."]],
    ["a line that stands alone without a stop is a heading", "A short title\n\nIt is one.", ["It is one."]],
    [
      "lines that were wrapped are one",
      "This line was\nwrapped. Next one\nhere.",
      ["This line was\nwrapped.", "Next one\nhere."],
    ],
    ["Windows line ends are no ends", "This line was\r\nwrapped.", ["This line was\r\nwrapped."]],
    [
      "a blank line ends one without a stop",
      "This paragraph never stops and goes on for long, as many of them do in real life, without an end\n\nNext.",
      ["This paragraph never stops and goes on for long, as many of them do in real life, without an end", "Next."],
    ],
    ["items of a list are apart", "- first thing\n- second thing", ["first thing", "second thing"]],
    ["numbered items are apart", "1. First thing.\n2. Second thing.", ["First thing.", "Second thing."]],
    ["code is left out", "Before it.\n\n```\nlet a = 1. B\n```\n\nAfter it.", ["Before it.", "After it."]],
    ["a fence of tildes is code too", "Before it.\n~~~~\nLet us. Go.\n~~~~\nAfter it.", ["Before it.", "After it."]],
    [
      "indented code is left out",
      "Before it:\n\n    const a = b(c);\n    d();\n\nAfter it.",
      ["Before it:", "After it."],
    ],
    [
      "tables are left out",
      "Before it.\n\n| a | b |\n| --- | --- |\n| One. Two. | 3 |\n\nAfter it.",
      ["Before it.", "After it."],
    ],
    ["front matter is left out", "---\ntitle: A. B.\n---\n\nIt is one.", ["It is one."]],
    ["tags on a line of their own are left out", '<div class="a. B">\nIt is one.\n</div>', ["It is one."]],
    [
      "a stop within a tag or a link's target is none",
      "See [this](http://a.example/b. C) and <i title='A. B'>that</i> now. Then go.",
      ["See [this](http://a.example/b. C) and <i title='A. B'>that</i> now.", "Then go."],
    ],
    ["marks of quotes are no words", "> It was said\n> so. And so.", ["It was said\n> so.", "And so."]],
    [
      "images and definitions of links are left out",
      "![A. B.](c.png)\n\n[1]: http://a.example\n\nIt is one.",
      ["It is one."],
    ],
    ["directives are left out", ".. note:: Careful. Now.\n\nIt is one.", ["It is one."]],
  ])("%s", (_name, text, expected) => {
    expect(bodyOf(text)).toEqual(expected);
  });

  it.each<[string, string, readonly string[]]>([
    [
      "de",
      "Das gilt z. B. für Dr. Meier am 3. Oktober. Danach nicht.",
      ["Das gilt z. B. für Dr. Meier am 3. Oktober.", "Danach nicht."],
    ],
    [
      "fr",
      "M. Dupont est venu. Il est parti à 8 h. env. avant nous.",
      ["M. Dupont est venu.", "Il est parti à 8 h. env. avant nous."],
    ],
    [
      "ru",
      "Это было в 1990 г. в Москве, т. е. давно. Потом всё изменилось.",
      ["Это было в 1990 г. в Москве, т. е. давно.", "Потом всё изменилось."],
    ],
    ["zh", "今天天气很好。我们去公园吧！好吗？", ["今天天气很好。", "我们去公园吧！", "好吗？"]],
    ["ja", "「行こう。」と言った。それから帰った。", ["「行こう。」と言った。", "それから帰った。"]],
  ])("shortened words and quotations of %s", (language, text, expected) => {
    expect(sentencesOf(text, language)).toEqual(expected);
  });

  it("cuts what never stops at weaker signs, and characters nowhere", () => {
    const pieces = sentencesOf("😀".repeat(2_000));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= 1_000)).toBe(true);
    expect(sentencesOf(`${"word ".repeat(300)}`).every((piece) => piece.length <= 1_000)).toBe(true);
  });
});
