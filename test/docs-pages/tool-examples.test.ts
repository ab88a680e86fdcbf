import { expect, it } from "vitest";
import { readToolExamples } from "./tool-examples.ts";

const block = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const read = (...parts: string[]) => readToolExamples("docs/x.md", parts.join("\n"));

it("pairs arguments with the result that follows, under their heading", () => {
  const examples = read(
    "# X\n\n## Sums\n",
    block("json", '{ "expression": "1 + 1" }'),
    "gives\n",
    block("json result", '{ "value": 2 }'),
    block("ts", "const a = 1;"),
    block("json aside", "[1]"),
    block("json config", '{ "locale": "de" }'),
    block("json", "{}"),
    block("json error", '{ "code": "INVALID_ARGUMENTS" }'),
  );
  expect(examples).toEqual([
    {
      place: "docs/x.md:6",
      section: "Sums",
      parameters: { expression: "1 + 1" },
      outcome: { result: { value: 2 } },
      config: undefined,
    },
    {
      place: "docs/x.md:28",
      section: "Sums",
      parameters: {},
      outcome: { error: { code: "INVALID_ARGUMENTS" } },
      config: { locale: "de" },
    },
  ]);
});

it.each<[string, readonly string[], RegExp]>([
  ["arguments without a result", [block("json", "{}")], /x\.md:2: expected a result/],
  ["a result without arguments", [block("json result", "{}")], /x\.md:2: expected arguments before/],
  ["a config after the arguments", [block("json", "{}"), block("json config", "{}")], /expected arguments or a result/],
  ["a config alone", [block("json config", "{}")], /expected a result/],
  ["arguments that are no object", [block("json", "[]"), block("json", "1")], /expected a JSON object/],
])("refuses %s", (_name, parts, message) => {
  expect(() => read(...parts)).toThrow(message);
});
