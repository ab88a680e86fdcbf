import fc from "fast-check";
import { expect, it } from "vitest";
import { createByteSearch } from "../../src/redaction/search/byte-search.ts";

/** Of few letters, so that needles begin alike, lie in each other and over each other. */
const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "A"), minLength, maxLength });

it("at every place the longest needle is found that a comparison letter by letter finds", () => {
  const needles = fc.array(fc.oneof(letters(8, 12), letters(30, 50)), { maxLength: 12 });
  fc.assert(
    fc.property(needles, letters(0, 60), fc.array(fc.nat(11)), fc.boolean(), (list, filling, places, isExact) => {
      const text = [filling, ...places.map((place) => list[place] ?? "")].join("b");
      const seen = (value: string) => (isExact ? value : value.toLowerCase());
      const expected = Array.from(text, (_, start) => {
        const here = list.filter((needle) => seen(text).startsWith(seen(needle), start));
        return here.length === 0 ? [] : [{ start, end: start + Math.max(...here.map(({ length }) => length)) }];
      }).flat();
      const search = createByteSearch(
        list.map((needle) => Buffer.from(needle)),
        isExact,
      );
      const found = [...search.matches(Buffer.from(text))].map(({ start, end }) => ({ start, end }));
      expect(found).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
