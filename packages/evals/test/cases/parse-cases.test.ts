import { describe, expect, it } from "vitest";
import { parseCases } from "../../src/cases/parse-cases.ts";

const MINIMAL = "case_id: a\ninput: Where is ORD-1?\n";

function messageOf(text: string): string {
  try {
    parseCases(text, "orders.yaml");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "accepted";
}

describe("a file of cases", () => {
  it.each<[string, string, readonly string[]]>([
    ["one case", MINIMAL, ["a"]],
    ["a list", "- case_id: a\n  input: x\n- case_id: b\n  input: y\n", ["a", "b"]],
    ["cases with defaults", "defaults: { agent: Desk }\ncases:\n  - { case_id: a, input: x }\n", ["a"]],
    ["several documents", `${MINIMAL}---\ncase_id: b\ninput: y\n`, ["a", "b"]],
    ["JSON", '{"case_id": "a", "input": "x"}', ["a"]],
    ["a conversation", "case_id: a\ninput:\n  - { role: user, content: x }\n", ["a"]],
    ["a byte order mark", `\uFEFF${MINIMAL}`, ["a"]],
    ["an alias", "- &one { case_id: a, input: x, tags: &t [s] }\n- { case_id: b, input: y, tags: *t }\n", ["a", "b"]],
  ])("may contain %s", (_name, text, ids) => {
    expect(parseCases(text, "orders.yaml").map(({ case_id }) => case_id)).toEqual(ids);
  });

  it("gives each case its place and the defaults; lists are joined", () => {
    const text =
      "defaults:\n  agent: Desk\n  order: strict\n  tags: [all]\n  forbidden_tools: [refund]\ncases:\n" +
      "  - case_id: a\n    input: x\n    tags: [own, all]\n  - case_id: b\n    input: y\n    order: any\n";
    expect(parseCases(text, "orders.yaml")).toMatchObject([
      { case_id: "a", agent: "Desk", order: "strict", tags: ["all", "own"], file: "orders.yaml", line: 7 },
      { case_id: "b", order: "any", tags: ["all"], forbidden_tools: ["refund"], line: 10 },
    ]);
  });

  it.each<[string, string, string]>([
    [
      "a misspelt field",
      `${MINIMAL}expected_call: []\n`,
      "orders.yaml:3: expected_call: unknown field: did you mean expected_calls?",
    ],
    [
      "a field of nothing known",
      `${MINIMAL}zebra: 1\n`,
      "orders.yaml:3: zebra: unknown field; the fields are case_id,",
    ],
    [
      "a misspelt field of a call",
      `${MINIMAL}expected_calls:\n  - name: a\n    argument: {}\n`,
      "orders.yaml:5: expected_calls[0].argument: unknown field: did you mean arguments?",
    ],
    [
      "a misspelt field of an assertion",
      `${MINIMAL}assert:\n  - type: equals\n    value: x\n    wieght: 2\n`,
      "orders.yaml:6: assert[0].wieght: unknown field: did you mean weight?",
    ],
    [
      "a misspelt type",
      `${MINIMAL}assert:\n  - type: contain\n    value: x\n`,
      "orders.yaml:4: assert[0].type: expected one of equals,",
    ],
    ["and the type that was meant", `${MINIMAL}assert:\n  - type: contain\n    value: x\n`, "did you mean contains?"],
    [
      "an assertion without its value",
      `${MINIMAL}assert:\n  - type: contains\n`,
      "assert[0].value: expected a string, because the type is contains",
    ],
    [
      "an assertion without its limit",
      `${MINIMAL}assert:\n  - type: cost\n`,
      "assert[0].threshold: expected the maximum in US dollars",
    ],
    [
      "a share above 1",
      `${MINIMAL}assert:\n  - { type: citation-overlap, threshold: 80 }\n`,
      "expected a share from 0 to 1",
    ],
    [
      "a slow pattern",
      `${MINIMAL}assert:\n  - { type: regex, value: "(?=x)y" }\n`,
      "assert[0].value: the pattern must not use lookahead",
    ],
    ["an unknown mode", `${MINIMAL}order: sorted\n`, 'orders.yaml:3: order: expected one of "strict"|"in_order"|"any"'],
    [
      "a bfcl value that is no list",
      `${MINIMAL}expected_calls:\n  - name: a\n    match: bfcl\n    arguments: { b: 1 }\n`,
      "orders.yaml:6: expected_calls[0].arguments.b: expected a list",
    ],
    ["no input", "case_id: a\n", "orders.yaml:1: input:"],
    ["an id that is no file name", "case_id: ../a\ninput: x\n", "orders.yaml:1: case_id: expected 1 to 100 letters"],
    [
      "two cases with one id",
      `${MINIMAL}---\n${MINIMAL}`,
      "orders.yaml:4: case_id: expected a unique id: line 1 has a case a",
    ],
    ["a key twice", `${MINIMAL}input: y\n`, "orders.yaml:3: map keys must be unique"],
    ["a custom type", `${MINIMAL}tags: !!js/function [x]\n`, "orders.yaml:3: unresolved tag"],
    ["broken YAML", "case_id: [a\n", "orders.yaml:2:"],
    ["nothing", "", "orders.yaml:1: expected at least one case"],
    ["a text", "hello", "orders.yaml:1: expected a case, a list of cases, or cases with defaults"],
    [
      "a misspelt default",
      "defaults: { agnet: x }\ncases: [{ case_id: a, input: x }]\n",
      "orders.yaml:1: defaults.agnet: unknown field",
    ],
    [
      "nesting without end",
      `${MINIMAL}caller: ${"[".repeat(200)}${"]".repeat(200)}\n`,
      "expected at most 64 levels of nesting",
    ],
    ["a stack of nesting", `${MINIMAL}caller: ${"[".repeat(10_000)}`, "orders.yaml:"],
    ["too much text", `${MINIMAL}# ${"x".repeat(2_000_001)}`, "expected at most 2000000 characters"],
  ])("is refused with the place of %s", (_name, text, message) => {
    expect(messageOf(text)).toContain(message);
  });

  it("is refused when aliases multiply its size", () => {
    const levels = Array.from(
      { length: 12 },
      (_value, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`,
    );
    const text = [`a0: &a0 [x]`, ...levels].join("\n");
    expect(messageOf(text)).toBe("orders.yaml:1: expected YAML without aliases that multiply its size");
  });

  it("lists every problem, at most 20, in the order of the lines", () => {
    const text = Array.from({ length: 30 }, (_value, at) => `- case_id: c${at}\n  inptu: x`).join("\n");
    const lines = messageOf(text).split("\n");
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^orders\.yaml:1: input: /);
    expect(lines.at(-1)).toBe("and 40 more");
  });
});
