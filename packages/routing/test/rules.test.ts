import type { RoutingRule } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { checkRules } from "../src/check-rules.ts";
import { createRuleMatcher } from "../src/rule-matcher.ts";

const LISTED = new Set(["web.search"]);

function applies(
  when: RoutingRule["when"],
  text: string,
  rest: { metadata?: object; language?: string } = {},
): boolean {
  const { metadata = {}, language = null } = rest;
  const matcher = createRuleMatcher([{ when, intents: ["web.search"] }]);
  return matcher({ text, metadata: { ...metadata }, language: () => language }).length === 1;
}

describe("a rule", () => {
  it.each<[string, RoutingRule["when"], string, boolean]>([
    ["finds a word", { words: ["news"] }, "Any NEWS today?", true],
    ["finds no part of a word", { words: ["new"] }, "Any news today?", false],
    ["finds two words in a row", { words: ["stock price"] }, "What is the stock-price of ACME?", true],
    ["finds a word with an umlaut", { words: ["störung"] }, "Gibt es eine Störung?", true],
    ["finds a phrase", { phrases: ["as of today"] }, "The rate as of today.", true],
    ["finds a phrase inside a word", { phrases: ["order"] }, "My reordered items", true],
    ["finds a pattern", { patterns: ["\\bORD-[0-9]+\\b"] }, "Where is ORD-77?", true],
    ["matches a pattern with regard to case", { patterns: ["ord-[0-9]+"] }, "Where is ORD-77?", false],
    ["needs one of the patterns", { patterns: ["a+b", "ORD"] }, "ORD", true],
    ["needs every condition", { words: ["news"], phrases: ["today"] }, "news of yesterday", false],
  ])("%s", (_what, when, text, expected) => {
    expect(applies(when, text)).toBe(expected);
  });

  it("compares the language and the metadata", () => {
    expect(applies({ languages: ["de"] }, "x", { language: "de" })).toBe(true);
    expect(applies({ languages: ["de"] }, "x")).toBe(false);
    expect(applies({ metadata: { tier: "gold", beta: true } }, "x", { metadata: { tier: "gold", beta: true } })).toBe(
      true,
    );
    expect(applies({ metadata: { tier: "gold" } }, "x", { metadata: { tier: "silver" } })).toBe(false);
  });

  it("reads the beginning and the end of a long text", () => {
    const long = `first ${"x ".repeat(50_000)} last`;
    expect([applies({ words: ["first"] }, long), applies({ words: ["last"] }, long)]).toEqual([true, true]);
  });

  it("reports its name, or its number", () => {
    const matcher = createRuleMatcher([
      { name: "news", when: { words: ["news"] }, toolChoice: "required" },
      { when: { words: ["news"] }, intents: ["web.search"], strict: true },
    ]);
    expect(matcher({ text: "news", metadata: {}, language: () => null })).toEqual([
      { name: "news", intents: [], toolChoice: "required" },
      { name: "rules[1]", intents: ["web.search"], strict: true },
    ]);
  });

  it("takes linear time for a pattern that is slow in other engines", () => {
    expect(applies({ patterns: ["^(a+)+$"] }, `${"a".repeat(19_000)}!`)).toBe(false);
  });
});

describe("checkRules", () => {
  const when = { words: ["news"] };
  it.each<[string, readonly RoutingRule[], readonly string[]]>([
    ["nothing in good rules", [{ when, intents: ["web.search"] }], []],
    [
      "a look-behind",
      [{ when: { patterns: ["ok", "(?<=a)b"] } }],
      ["routing.rules[0].when.patterns[1] PATTERN_REFUSED"],
    ],
    [
      "a repetition that is too large",
      [{ when: { patterns: ["((a{1,900}){1,900}){1,900}"] } }],
      ["routing.rules[0].when.patterns[0] PATTERN_REFUSED"],
    ],
    ["no regular expression", [{ when: { patterns: ["("] } }], ["routing.rules[0].when.patterns[0] PATTERN_REFUSED"]],
    [
      "an intent that the agent does not list",
      [{ when, intents: ["web.search", "code.exec"] }],
      ["routing.rules[0].intents[1] UNKNOWN_INTENT"],
    ],
    [
      "equal conditions that want opposites",
      [
        { when: { words: ["a", "b"] }, toolChoice: "required" },
        { when: { words: ["b", "a"] }, toolChoice: "forbidden" },
      ],
      ["routing.rules[1] RULES_CONFLICT"],
    ],
    [
      "equal conditions of which one is strict",
      [
        { when, intents: ["web.search"], strict: true },
        { when, intents: ["web.search"] },
      ],
      ["routing.rules[1] RULES_CONFLICT"],
    ],
    [
      "no conflict between different conditions",
      [
        { when: { words: ["a"] }, toolChoice: "required" },
        { when: { phrases: ["a"] }, toolChoice: "forbidden" },
      ],
      [],
    ],
  ])("finds %s", (_what, rules, expected) => {
    expect(checkRules(rules, LISTED).map(({ path, code }) => `${path} ${code}`)).toEqual(expected);
  });
});
