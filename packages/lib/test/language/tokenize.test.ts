import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadRelevanceSet } from "../../../bench/search/relevance-set.ts";
import { detectLanguage } from "../../../builtins/src/language/detect-language.ts";
import { fold } from "../../src/language/fold.ts";
import { stem } from "../../src/language/stem.ts";
import { tokenize } from "../../src/language/tokenize.ts";

const termsOf = (text: string) => tokenize(text).map(({ term }) => term);

function tokensBySqlite(text: string): readonly string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')");
  database.exec("CREATE VIRTUAL TABLE v USING fts5vocab (t, instance)");
  database.prepare("INSERT INTO t (text) VALUES (?)").run(text);
  return database
    .prepare("SELECT term FROM v ORDER BY offset")
    .all()
    .map((row) => String(row["term"]));
}

describe("the words of a text", () => {
  it.each([
    "The quick brown fox, 42 times.",
    "Größe und Übermaß; naïveté!",
    "v1.2.3 costs $4,500.00 (or 20 %)",
    "¿Qué tal? ¡Muy bien!",
    "«Война и мир» — роман",
    "tab\tnew\nline",
    "C++, C# and .NET",
    "user@example.com https://example.com/a?b=c",
  ])("are those of SQLite's unicode61: %s", (text) => {
    const expected = tokensBySqlite(text).map((term) => fold(term));
    expect(termsOf(text)).toEqual(expected);
  });

  it.each([
    ["Chinese in pairs of characters", "人工智能", ["人工", "工智", "智能"]],
    ["one character alone", "我", ["我"]],
    ["Japanese, over all its scripts", "東京タワー", ["東京", "京タ", "タワ", "ワー"]],
    ["Korean", "대한민국", ["대한", "한민", "민국"]],
    ["two scripts in one word", "iPhone手机", ["iphone", "手机"]],
    ["characters outside of the basic plane", "𠮷野家", ["𠮷野", "野家"]],
    ["camelCase, its parts and the whole", "maxBodyBytes", ["max", "body", "bytes", "maxbodybytes"]],
    ["capitals in camelCase", "parseHTTPUrl", ["parse", "http", "url", "parsehttpurl"]],
    ["snake_case", "tool_call", ["tool", "call", "toolcall"]],
    ["a hyphen", "e-mail", ["e", "mail", "email"]],
    ["an apostrophe", "don't", ["don", "t", "dont"]],
    ["nothing", " … ☃ -- ", []],
  ])("of %s", (_name, text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("of Thai are those of its dictionary", () => {
    // "the Thai language is easy": as the documentation of ICU's break rules splits such a text.
    expect(termsOf("ภาษาไทยง่าย")).toEqual(["ภาษา", "ไทย", "ง่าย"]);
  });

  it("stand where they say, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        for (const { term, start, end } of tokenize(text)) {
          expect(end).toBeGreaterThan(start);
          expect(term).not.toBe("");
          expect(text.slice(start, end)).not.toBe("");
        }
      }),
    );
  });

  it("are without the brackets of compatibility forms", () => {
    expect(termsOf("⑴ first")).toEqual(["1", "first"]);
  });

  it("hold nothing that SQLite's ascii tokenizer would split, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
        expect(termsOf(text).filter((term) => !/^[a-z0-9\u0080-\u{10ffff}]+$/u.test(term))).toEqual([]);
      }),
    );
  });
});

it("tells the language of most articles of the Declaration of Human Rights", async () => {
  const { documents } = await loadRelevanceSet();
  const articles = documents.filter(({ id }) => /^[a-z]{2}-/.test(id));
  const right = articles.filter(({ id, text }) => detectLanguage(text) === id.slice(0, 2));
  expect(articles).toHaveLength(240);
  expect(right.length / articles.length).toBeGreaterThan(0.97);
});

describe("stems", () => {
  // Inflected forms of one word, as the Duden, the Larousse, the RAE, the Treccani, the Priberam and the Wiktionary list them.
  it.each([
    ["de", "rechnung rechnungen"],
    ["de", "kind kinder kindern kindes"],
    ["fr", "national nationale nationales"],
    ["fr", "egal egale egales"],
    ["es", "gato gatos gata gatas"],
    ["it", "libro libri"],
    ["pt", "menino meninos menina"],
    ["ru", "книга книги книгу книгой книгами"],
    ["nl", "lamp lampen"],
    ["tr", "kitap kitaplar"],
    ["hu", "haz hazban"],
    ["da", "bil biler bilerne"],
    ["sv", "flicka flickor flickorna"],
    ["en", "connect connected connecting connection connections"],
  ])("in %s are the same for %s", (language, words) => {
    expect(new Set(words.split(" ").map((word) => stem(word, language))).size).toBe(1);
  });

  it("leave words of other languages alone", () => {
    expect(stem("人工", "zh")).toBe("人工");
    expect(stem("running", "zh")).toBe("running");
  });
});
