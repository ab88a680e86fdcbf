import { expect, it } from "vitest";
import { isKnownLanguage, languageNamed } from "../../src/language/known-language.ts";

it.each(["en", "de", "pt-BR", "zh-Hant-TW", "EN", "sr-Latn", "tlh", "en-XX"])("%s is a known language", (tag) => {
  expect(isKnownLanguage(tag)).toBe(true);
});

it.each(["english", "klingon", "Deutsch", "", "e", "not a tag", "en_US!", "xx", "und", "-"])("%j is none", (tag) => {
  expect(isKnownLanguage(tag)).toBe(false);
});

it.each([
  ["english", "en"],
  ["German", "de"],
  ["Deutsch", "de"],
  ["français", "fr"],
  ["日本語", "ja"],
  ["klingon", undefined],
  ["", undefined],
])("%s is written as %s", (name, code) => {
  expect(languageNamed(name)).toBe(code);
});
