import { expect, it } from "vitest";
import { queryTermsOf, termsOf } from "../../../src/search/evidence/terms.ts";

it.each<[text: string, terms: readonly string[]]>([
  ["Heat Pumps, 45 dB!", ["heat", "pump", "45", "db"]],
  ["Élevé naïve", ["eleve", "naive"]],
  ["ﬁne ＡＢＣ", ["fine", "abc"]],
  ["cities glass bus analysis", ["city", "glass", "bus", "analysis"]],
  ["東京都", ["東京", "京都"]],
  ["税", ["税"]],
  ["Straße", ["straße"]],
  ["हिन्दी", ["हिन्दी"]],
  ["ガラス", ["ガラ", "ラス"]],
  ["", []],
])("%s", (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

it.each<[query: string, terms: readonly string[]]>([
  ["what is the noise of a heat pump", ["noise", "heat", "pump"]],
  ["heat heat pump", ["heat", "pump"]],
  ["to be or not to be", ["to", "be", "or", "not"]],
  ["who is", ["who", "is"]],
  ["wie laut ist die Wärmepumpe", ["laut", "warmepumpe"]],
])("of %s these tell", (query, terms) => {
  expect(queryTermsOf(query)).toEqual(terms);
});
