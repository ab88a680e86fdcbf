import { expect, it } from "vitest";
import { estimateTokens, tokensOfCharacters } from "../../src/text/token-estimate.ts";

it.each<[string, string, number, number]>([
  ["nothing", "", 0, 0],
  ["one character", "a", 1, 1],
  ["English", "four letters", 3, 3],
  ["a language beyond ASCII, which only the bytes count right", "日本語の文", 4, 2],
])("%s", (_name, text, byBytes, byCharacters) => {
  expect(estimateTokens(text)).toBe(byBytes);
  expect(tokensOfCharacters(text.length)).toBe(byCharacters);
});
