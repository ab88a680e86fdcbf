import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { fold } from "../../src/language/fold.ts";

/** One word as SQLite's `unicode61` reads it, with `remove_diacritics 2`. */
function foldBySqlite(words: readonly string[]): readonly string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE t USING fts5 (word, tokenize = 'unicode61 remove_diacritics 2')");
  database.exec("CREATE VIRTUAL TABLE v USING fts5vocab (t, row)");
  const put = database.prepare("INSERT INTO t (word) VALUES (?)");
  const terms = database.prepare("SELECT term FROM v");
  return words.map((word) => {
    database.exec("DELETE FROM t");
    put.run(word);
    return terms
      .all()
      .map((row) => String(row["term"]))
      .join(" ");
  });
}

const LATIN = (
  "Café naïve façade Übergröße résumé piñata Ångström Škoda Çelik jalapeño coöperate Dvořák Čapek Gdańsk Łódź Malmö " +
  "São Ação coração Élan Été Zürich Žižek Ñandú Pokémon Beyoncé Đakovo Ťažký Ľubomír Reykjavík Þing ÀÈÌÒÙ Ẃ ỳ ộ ệ"
).split(" ");

// SQLite takes these letters for what they are; people type them without the stroke or the ligature.
const STROKED = /[ŁłØøĐđÞþÆæŒœßı]/;

describe("folding", () => {
  it.each(LATIN.filter((word) => !STROKED.test(word)))("%s is what SQLite's unicode61 makes of it", (word) => {
    expect([fold(word)]).toEqual(foldBySqlite([word]));
  });

  // Equal at the first level of the Unicode Collation Algorithm, as ICU has it (Intl.Collator, sensitivity "base").
  const collator = new Intl.Collator("en", { sensitivity: "base" });
  it.each([
    ["résumé", "RESUME"],
    ["Straße", "STRASSE"],
    ["ﬁle", "file"],
    ["ＦＵＬＬ", "full"],
    ["e\u0301tude", "étude"],
    ["Ἀθῆναι", "αθηναι"],
    ["ΟΔΟΣ", "οδος"],
    ["encyclopædia", "encyclopaedia"],
    ["œuvre", "oeuvre"],
    ["ｶﾞ", "ガ"],
    ["ⅻ", "xii"],
    ["الْعَرَبِيَّة", "العربية"],
    ["שָׁלוֹם", "שלום"],
    ["ёлка", "елка"],
  ])("%s and %s are one word, as in the collation of Unicode", (left, right) => {
    expect(collator.compare(left, right)).toBe(0);
    expect(fold(left)).toBe(fold(right));
  });

  it.each([
    ["бой", "бои"],
    ["कि", "क"],
    ["มา", "ม"],
    ["が", "か"],
    ["resume", "resumes"],
  ])("%s and %s are two", (left, right) => {
    expect(fold(left)).not.toBe(fold(right));
  });
});
