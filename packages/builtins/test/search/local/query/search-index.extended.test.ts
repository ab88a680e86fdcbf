import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadRelevanceSet, writeDocuments } from "../../../../../bench/search/relevance-set.ts";
import { countSlips } from "../../../../src/search/local/query/correct-term.ts";
import type { SearchQuery } from "../../../../src/search/port.ts";
import { makeFolder, openTestIndex, queryFor } from "../local-folder.ts";

async function indexOf(files: Readonly<Record<string, string>>) {
  const index = openTestIndex(makeFolder(files));
  await index.refresh();
  return index;
}

describe("what is found", () => {
  it("has every document that grep finds", async () => {
    const { documents } = await loadRelevanceSet();
    const folder = makeFolder();
    await writeDocuments(folder.folder, documents);
    const index = openTestIndex(folder);
    await index.refresh();
    const words = "awk ftp vms cpan fork tk xs yacc unix dbm 1900 2038 asilo lavoro travail arbeit trabajo 20";
    for (const word of words.split(" ")) {
      const output = execFileSync("grep", ["-rliw", word, folder.folder], {
        encoding: "utf8",
        env: { LC_ALL: "C.UTF-8" },
      });
      const expected = output
        .trim()
        .split("\n")
        .map((path) => path.split("/").at(-1));
      const found = new Set(index.urls(word, { maxResults: 200 }).map((url) => url.split("/").at(-1)));
      expect({ word, missing: expected.filter((path) => !found.has(path)) }).toEqual({ word, missing: [] });
    }
  });

  it.each([
    ["another form of the word", "refunding", "a.md"],
    ["another case and no accents", "CREME BRULEE", "b.md"],
    ["a part of a name in camelCase", "body bytes", "c.md"],
    ["a word without its hyphen", "email", "d.md"],
    ["a hyphen that the text has not", "pay-pal", "e.md"],
    ["the beginning of the last word", "elder", "f.md"],
    ["a letter too few", "refnd", "a.md"],
    ["two letters swapped", "refudn", "a.md"],
    ["two slips in a long word", "eldrebery", "f.md"],
    ["German umlauts as people type them", "uberweisung", "g.md"],
    ["a plural in German", "Überweisungen", "g.md"],
    ["Chinese inside a sentence", "退款政策", "h.md"],
    ["Thai inside a sentence", "คืนเงิน", "i.md"],
    ["the name of the folder", "handbook", "handbook/j.md"],
    ["its title in the front matter", "zebra crossing", "k.md"],
  ])("may be asked for by %s", async (_name, text, path) => {
    const index = await indexOf({
      "a.md": "We refunded the order.",
      "b.md": "A crème brûlée for dessert.",
      "c.md": "Set `maxBodyBytes` to limit it.",
      "d.md": "Send an e-mail to us.",
      "e.md": "You can pay with PayPal.",
      "f.md": "Elderberries are black.",
      "g.md": "Die Überweisung ist noch nicht da, aber sie kommt mit der Post.",
      "h.md": "我们的退款政策如下。",
      "i.md": "นโยบายการคืนเงินของเรา",
      "handbook/j.md": "Nothing else.",
      "k.md": "---\ntitle: Zebra crossing\n---\nStripes.",
    });
    expect(index.urls(text)[0]).toBe(`local:///${path}`);
  });

  it.each([
    [
      "what has all words before what has some",
      "green apple pie",
      { "a.md": "green apple pie here", "b.md": "green green green apple apple" },
    ],
    [
      "words as a phrase before the same words apart",
      "bank holiday",
      { "a.md": "The bank holiday is on Monday.", "b.md": "The bank is closed on Monday, and so it is on holiday." },
    ],
    [
      "words in a title before those in the text",
      "shipping",
      { "a.md": "# Shipping\n\nsoon", "b.md": "# Other\n\nshipping soon" },
    ],
    [
      "rare words before ordinary ones",
      "order quokka",
      { "a.md": "quokka", "b.md": "order", "c.md": "order", "d.md": "order" },
    ],
    [
      "the newer of two that are equal",
      "price",
      { "b.md": "---\ntitle: x\ndate: 2010-01-01\n---\nprice", "a.md": "---\ntitle: x\ndate: 2025-12-01\n---\nprice" },
    ],
  ])("is ranked: %s", async (_name, text, files) => {
    expect((await indexOf(files)).urls(text)[0]).toBe("local:///a.md");
  });

  it.each([
    ["the first three letters of the last word", "eld", 1],
    ["its first two letters", "el", 0],
    ["a word of eight letters with two slips", "hadgehag", 1],
    ["a word of seven letters with two slips", "panguan", 0],
    ["a word of seven letters with one slip", "penguan", 1],
    ["a prefix that is not the last word", "eld xyzzy", 0],
  ])("may be asked for by %s, or not", async (_name, text, count) => {
    const index = await indexOf({ "a.md": "elderberry", "b.md": "hedgehog", "c.md": "penguin" });
    expect(index.urls(text)).toHaveLength(count);
  });

  it("is in the order of the paths if nothing else decides", async () => {
    const files = Object.fromEntries(["c", "a", "e", "b", "d"].map((name) => [`${name}.md`, "# Title\n\nsame text"]));
    const urls = (await indexOf(files)).urls("same text");
    expect(urls).toEqual(["a", "b", "c", "d", "e"].map((name) => `local:///${name}.md`));
  });

  it("is the same every time", async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.md`, "same text"]));
    const [one, two] = [await indexOf(files), await indexOf(files)];
    expect(one.urls("same text")).toEqual(two.urls("same text"));
    expect(one.urls("same text")).toEqual(one.urls("same text"));
  });

  it("is the part of a long document that answers", async () => {
    const filler = (number: number) => `## Section ${number}\n\n${"Ordinary words about ordinary things. ".repeat(30)}`;
    const sections = Array.from({ length: 200 }, (_, number) => filler(number));
    sections[150] = "## Refunds\n\nRefunds are paid within fourteen days, to the card that was used.";
    const index = await indexOf({ "long.md": sections.join("\n\n"), "short.md": "Refunds? Ask us." });
    const [first] = index.find("when are refunds paid to my card");
    expect(first).toMatchObject({ url: "local:///long.md" });
    expect(first?.snippet).toContain("within fourteen days");
  });
});

describe("filters", () => {
  const files = {
    "a.md": "---\nurl: https://docs.example.com/a\ndate: 2024-01-31\n---\nword",
    "b.md": "---\nurl: https://example.com/b\ndate: 2024-02-01T12:00:00Z\n---\nword",
    "c.md": "---\nurl: https://badexample.com/c\n---\nword",
    "d.md": "word",
  };
  it.each<[string, Partial<SearchQuery>, string]>([
    ["nothing", {}, "abcd"],
    ["a domain and those below it", { allowedDomains: ["example.com"] }, "ab"],
    ["a domain in capitals", { allowedDomains: ["EXAMPLE.com"] }, "ab"],
    ["one of two domains", { allowedDomains: ["docs.example.com", "badexample.com"] }, "ac"],
    ["all but a domain", { blockedDomains: ["example.com"] }, "cd"],
    ["a domain that holds signs of LIKE", { allowedDomains: ["%"] }, ""],
    ["what is from a day or later, or has no date", { publishedAfter: "2024-02-01" }, "bcd"],
    ["what is from a day or before, or has no date", { publishedBefore: "2024-01-31" }, "acd"],
    ["what is from a moment's day", { publishedAfter: "2024-01-31T23:00:00Z" }, "abcd"],
    ["two days", { publishedAfter: "2024-01-01", publishedBefore: "2024-02-01" }, "abcd"],
  ])("for %s", async (_name, query, letters) => {
    const found = (await indexOf(files)).find("word", query);
    const expected = [...letters].map((letter) => files[`${letter}.md` as keyof typeof files]);
    expect(found).toHaveLength(expected.length);
    expect(
      found
        .map(({ url }) => (url.at(-1) === "d" ? "d" : url.replace(/^.*\/(.).*$/, "$1")))
        .toSorted()
        .join(""),
    ).toBe(letters);
  });

  it.each<[string, Partial<SearchQuery>, object]>([
    ["a domain", { allowedDomains: ["example.com"] }, { byDomain: 2 }],
    ["a time", { publishedAfter: "2024-02-01" }, { byDate: 1 }],
    [
      "both, each document once",
      { allowedDomains: ["example.com"], publishedAfter: "2030-01-01" },
      { byDomain: 2, byDate: 2 },
    ],
    ["a word", { excludedTerms: ["words"] }, { byTerm: 4 }],
    ["nothing", {}, {}],
  ])("say how many they left out: %s", async (_name, query, counts) => {
    const { leftOut } = (await indexOf(files)).search({ ...queryFor("word"), ...query }, 0);
    expect(leftOut).toEqual({ byDomain: 0, byDate: 0, byTerm: 0, ...counts });
  });

  it.each([
    ["email", "c.md"],
    ["e-mail", "c.md"],
    ["mails", "b.md c.md"],
    ["fast answer", "a.md b.md"],
    ["nowhere", "a.md b.md c.md"],
    ["*", "a.md b.md c.md"],
  ])("leave out documents with a word, wherever it stands in them: -%s", async (excluded, expected) => {
    const far = "Other words of no matter. ".repeat(200);
    const index = await indexOf({
      "a.md": `support\n\n${far}\n\nWrite an e-mail.`,
      "b.md": `support\n\n${far}\n\nYour email box.`,
      "c.md": `support\n\n${far}\n\nA fast answer.`,
    });
    const found = index.urls("support", { excludedTerms: [excluded] }).map((url) => url.slice("local:///".length));
    expect(found.toSorted().join(" ")).toBe(expected);
  });

  it("prefer the language that was asked for", async () => {
    const index = await indexOf({
      "en.md": "---\nlang: en\n---\nHotel service",
      "de.md": "---\nlang: de-CH\n---\nHotel service",
    });
    expect(index.find("hotel", { language: "de" }).map(({ language }) => language)).toEqual(["de-CH", "en"]);
    expect(index.find("hotel", { language: "en" }).map(({ language }) => language)).toEqual(["en", "de-CH"]);
  });
});

describe("any text is a query", () => {
  const files = { "a.md": "alpha beta", "b.md": "alpha gamma", "c.md": "delta" };
  it.each([
    ['"', 0],
    ["*", 0],
    ["alpha AND", 2],
    ["alpha NOT beta", 2],
    ["NEAR(alpha delta, 1)", 3],
    ["title : alpha", 2],
    ["{title body} : alpha", 2],
    ["^alpha", 2],
    ["alph*", 2],
    ['"alpha" "" + -"beta"', 2],
    ["alpha') OR 1=1 --", 2],
    ["\0alpha\0", 2],
    ["\ud800 alpha", 2],
    ["   ", 0],
  ])("%j", async (text, found) => {
    expect((await indexOf(files)).urls(text)).toHaveLength(found);
  });

  it("whatever it is", async () => {
    const index = await indexOf({ ...files, "d.md": "AND OR NOT NEAR 人工智能 ไทย" });
    const syntax = fc.constantFrom(
      '"',
      "*",
      "^",
      "(",
      ")",
      ":",
      "{",
      "}",
      "+",
      "-",
      ",",
      "AND",
      "OR",
      "NOT",
      "NEAR",
      "alpha",
      "\0",
      "'",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(syntax).map((parts) => parts.join(" ")),
      fc.array(syntax).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (query) => {
        const found = index.find(query);
        expect(new Set(found.map(({ url }) => url)).size).toBe(found.length);
      }),
      { numRuns: 100 },
    );
  });

  it("up to 2 000 characters, and quickly", async () => {
    const index = await indexOf(files);
    expect(index.urls(`alpha ${"x ".repeat(100_000)}`)).toHaveLength(2);
    expect(index.urls("y".repeat(1_000_000))).toEqual([]);
  });
});

// As the literature has them: kitten and sitting of Levenshtein's distance, ca and abc of what tells optimal string alignment
// (3) from Damerau's distance (2); the others counted by hand.
it.each([
  ["kitten", "sitting", 3],
  ["flaw", "lawn", 2],
  ["ab", "ba", 1],
  ["ca", "abc", 3],
  ["refund", "refnud", 1],
  ["größe", "grosse", 3],
  ["same", "same", 0],
  ["", "abc", 3],
])("%s and %s are %i slips apart", (left, right, slips) => {
  expect(countSlips(left, right, 9)).toBe(slips);
  expect(countSlips(right, left, 9)).toBe(slips);
});

it("snippets are of the text that answers, on one line, and no longer than 410 characters", async () => {
  const filler = "Other things are said here at some length. ".repeat(20);
  const index = await indexOf({ "a.md": `${filler}The quokka eats leaves.\nIt drinks little. ${filler}` });
  const [hit] = index.find("what does a quokka eat");
  expect(hit?.snippet).toContain("The quokka eats leaves. It drinks little.");
  expect(hit?.snippet).toMatch(/^… .* …$/);
  expect(hit?.snippet.length).toBeLessThanOrEqual(410);
});
