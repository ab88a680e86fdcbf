import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hashesIn,
  isShortened,
  MIN_APART_CHARACTERS,
  putTextsBack,
  shortJson,
  TextShortener,
} from "../src/events/texts-apart.ts";

/** What a tenant may send that looks like a column in the short form, or like a part of one. */
const LOOK_ALIKES = [
  '~1000000040000[[0,"hash",40000]]\n""',
  '~1000000000012[[12,"abc",40000]]\n{"input":""}',
  '[[12,"abc",40000]]',
  "~1",
  "\n",
  '"',
  "\\",
  '\\"',
  "\u0000\ud800",
];

const largeText = fc
  .tuple(
    fc.constantFrom("a", "é", "𝄞", '"', "\\", "\n", '\\"', "\u0000", "\ud800"),
    fc.constantFrom(...LOOK_ALIKES, "x"),
  )
  .map(([filling, end]) => `${filling.repeat(MIN_APART_CHARACTERS)}${end}`);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 2, arbitrary: fc.constantFrom(...LOOK_ALIKES) },
  { weight: 2, arbitrary: largeText },
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: text },
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));
/** With the same texts again in other places. */
const columns = fc.tuple(value, value, value).map(([a, b, c]) => [a, [{ event: b, assistantMessage: a }, c], { b, a }]);

function shortened(jsons: readonly string[]) {
  const shortener = new TextShortener();
  const stored = jsons.map((json) => shortener.shorten(json));
  return { stored, texts: shortener.texts, byHash: new Map(shortener.texts.map(({ hash, text }) => [hash, text])) };
}

describe("texts that are stored apart", () => {
  it("come back byte for byte, whatever else is in the JSON", () => {
    fc.assert(
      fc.property(columns, (values) => {
        const jsons = values.map((column) => JSON.stringify(column));
        const { stored, byHash } = shortened(jsons);
        stored.forEach((column, index) => {
          expect(putTextsBack(column, byHash) === jsons[index]).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it("are each there once, under the hash of what is stored, and leave JSON behind", () => {
    fc.assert(
      fc.property(columns, (values) => {
        const { stored, texts } = shortened(values.map((column) => JSON.stringify(column)));
        expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
        for (const { hash, text } of texts) {
          expect(text.length).toBeGreaterThanOrEqual(MIN_APART_CHARACTERS);
          expect(hash).toBe(createHash("sha256").update(text).digest("base64url"));
        }
        expect(new Set(stored.flatMap(hashesIn))).toEqual(new Set(texts.map(({ hash }) => hash)));
        for (const column of stored) {
          JSON.parse(shortJson(column));
          const strings = shortJson(column).match(/"[^"\\]*"/g) ?? [];
          expect(strings.every((string) => string.length < MIN_APART_CHARACTERS + 2)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("are none where no text is large: the column is the JSON itself", () => {
    const small = "x".repeat(MIN_APART_CHARACTERS - 1);
    for (const json of ["{}", JSON.stringify([small, small]), JSON.stringify({ [small]: LOOK_ALIKES })]) {
      const { stored, texts } = shortened([json]);
      expect([stored[0] === json, texts, isShortened(json)]).toEqual([true, [], false]);
    }
    expect(shortened([JSON.stringify(`${small}x`)]).texts).toHaveLength(1);
  });

  it("say how many bytes their column has with them", () => {
    const json = JSON.stringify({ text: "é".repeat(MIN_APART_CHARACTERS) });
    const column = shortened([json]).stored[0] ?? "";
    expect(Number(column.slice(2, 14))).toBe(Buffer.byteLength(json));
  });

  it("are missed where one is gone", () => {
    const { stored } = shortened([JSON.stringify("x".repeat(MIN_APART_CHARACTERS))]);
    expect(() => putTextsBack(stored[0] ?? "", new Map())).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
    expect(() => putTextsBack("~1 damaged", new Map())).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
  });
});
