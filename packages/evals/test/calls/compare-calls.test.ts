import { describe, expect, it } from "vitest";
import { compareCalls } from "../../src/calls/compare-calls.ts";
import type { ExpectedCall, MatchMode, OrderMode } from "../../src/cases/case-schema.ts";

type Call = readonly [name: string, parameters?: Readonly<Record<string, unknown>>];

const ORDER_SCHEMA = {
  type: "object",
  properties: { id: { type: "string" }, count: { type: "integer" } },
  required: ["id"],
};

function compare(
  expected: readonly ExpectedCall[],
  made: readonly Call[],
  order: OrderMode,
  match: MatchMode = "exact",
) {
  return compareCalls({
    expected,
    made: made.map(([name, parameters = {}]) => ({ name, parameters })),
    match,
    order,
    schemas: new Map([["lookup", ORDER_SCHEMA]]),
  });
}

const names = (...list: readonly string[]): ExpectedCall[] => list.map((name) => ({ name }));
const calls = (...list: readonly string[]): Call[] => list.map((name) => [name]);

describe("the order of calls", () => {
  it.each<[string, readonly string[], readonly string[], Readonly<Record<OrderMode, boolean>>]>([
    ["the same calls", ["a", "b"], ["a", "b"], { strict: true, in_order: true, any: true }],
    ["reversed calls", ["a", "b"], ["b", "a"], { strict: false, in_order: false, any: true }],
    ["a call between", ["a", "b"], ["a", "x", "b"], { strict: false, in_order: true, any: true }],
    ["a call before", ["a", "b"], ["x", "a", "b"], { strict: false, in_order: true, any: true }],
    ["a call after", ["a", "b"], ["a", "b", "x"], { strict: false, in_order: true, any: true }],
    ["a missing call", ["a", "b"], ["a"], { strict: false, in_order: false, any: false }],
    ["a repeated call that is expected once", ["a"], ["a", "a"], { strict: false, in_order: true, any: true }],
    ["a call once that is expected twice", ["a", "a"], ["a"], { strict: false, in_order: false, any: false }],
    ["a detour", ["a", "b", "a"], ["a", "a", "b", "a"], { strict: false, in_order: true, any: true }],
    ["the first call last", ["a", "b", "c"], ["b", "c", "a"], { strict: false, in_order: false, any: true }],
    ["no calls, where none are expected", [], [], { strict: true, in_order: true, any: true }],
    ["a call, where none is expected", [], ["a"], { strict: false, in_order: false, any: false }],
  ])("%s", (_name, expected, made, verdicts) => {
    for (const order of ["strict", "in_order", "any"] as const) {
      const { problems } = compare(names(...expected), calls(...made), order);
      expect({ order, passes: problems.length === 0 }).toEqual({ order, passes: verdicts[order] });
    }
  });

  it("is scored by the longest part that was made in order", () => {
    expect(compare(names("a", "b", "c", "d"), calls("b", "c", "a"), "in_order")).toMatchObject({
      orderScore: 0.5,
      argumentScore: 0.75,
      problems: ["d was not called"],
    });
    expect(compare(names("a", "b"), calls("b", "a"), "strict").problems).toEqual([
      "expected the order a, b, but the calls were b, a",
    ]);
  });

  it("any: a call that fits several expected calls is given to the one that fits nothing else", () => {
    const expected = [{ name: "lookup" }, { name: "lookup", arguments: { id: "1" } }];
    expect(
      compare(
        expected,
        [
          ["lookup", { id: "1" }],
          ["lookup", { id: "2" }],
        ],
        "any",
      ).problems,
    ).toEqual([]);
  });

  it("any with bfcl: each expected call takes the first call left that fits, as in the leaderboard", () => {
    const expected = [
      { name: "lookup", arguments: { id: ["1", "2"] } },
      { name: "lookup", arguments: { id: ["1"] } },
    ];
    const [one, two]: readonly Call[] = [
      ["lookup", { id: "1" }],
      ["lookup", { id: "2" }],
    ];
    if (one === undefined || two === undefined) throw new Error("expected two calls");
    expect(compare(expected, [two, one], "any", "bfcl").problems).toEqual([]);
    expect(compare(expected, [one, two], "any", "bfcl").problems).not.toEqual([]);
    expect(compare(expected, [one, two], "any", "exact").problems).toEqual([]);
  });
});

describe("arguments", () => {
  it.each<[string, MatchMode, ExpectedCall["arguments"], Readonly<Record<string, unknown>>, string | undefined]>([
    ["equal values", "exact", { id: "1", count: 2 }, { count: 2, id: "1" }, undefined],
    ["another value", "exact", { id: "1" }, { id: "2" }, 'id is not the expected value: expected "1", but it is "2"'],
    ["a missing argument", "exact", { id: "1" }, {}, "id is missing"],
    ["an additional argument", "exact", { id: "1" }, { id: "1", count: 1 }, "count is not expected"],
    ["an alternative", "exact", { id: ["1", "one"] }, { id: "one" }, undefined],
    [
      "no alternative",
      "exact",
      { id: ["1", "one"] },
      { id: "two" },
      'id is not the expected value: expected ["1","one"], but it is "two"',
    ],
    ["a list as a whole", "exact", { ids: ["1", "2"] }, { ids: ["1", "2"] }, undefined],
    [
      "a long value with invisible characters",
      "exact",
      { id: "1" },
      { id: `\u202e${"x".repeat(300)}` },
      `id is not the expected value: expected "1", but it is "\\u202e${"x".repeat(197)}…`,
    ],
    [
      "a list in another order",
      "exact",
      { ids: ["1", "2"] },
      { ids: ["2", "1"] },
      'ids is not the expected value: expected ["1","2"], but it is ["2","1"]',
    ],
    ["1 for true", "exact", { flag: true }, { flag: 1 }, "flag is not the expected value: expected true, but it is 1"],
    [
      "an object with another member",
      "exact",
      { to: { city: "Rome" } },
      { to: { city: "Rome", zip: "1" } },
      'to is not the expected value: expected {"city":"Rome"}, but it is {"city":"Rome","zip":"1"}',
    ],
    ["the same, in part", "partial", { to: { city: "Rome" } }, { to: { city: "Rome", zip: "1" } }, undefined],
    ["an additional argument, in part", "partial", { id: "1" }, { id: "1", count: 1 }, undefined],
    ["an inherited name", "partial", { toString: "1" }, {}, "toString is missing"],
    ["values that fit a schema", "schema", { properties: { id: { pattern: "^\\d$" } } }, { id: "1" }, undefined],
    ["values that do not", "schema", { properties: { id: { pattern: "^\\d$" } } }, { id: "x" }, "/id must match"],
    ["the schema of the tool", "schema", undefined, { id: 1 }, "/id must be a string"],
    ["no arguments to compare", "exact", undefined, { anything: 1 }, undefined],
  ])("%s (%s)", (_name, match, expected, given, problem) => {
    const wanted: ExpectedCall = { name: "lookup", ...(expected === undefined ? {} : { arguments: expected }) };
    const { problems } = compare([wanted], [["lookup", given]], "any", match);
    if (problem === undefined) expect(problems).toEqual([]);
    else expect(problems.join()).toContain(problem);
  });

  it("each call can have a mode of its own", () => {
    const expected: ExpectedCall[] = [
      { name: "lookup", arguments: { id: "1" }, match: "partial" },
      { name: "lookup", arguments: { id: ["a-b"] }, match: "bfcl" },
    ];
    const made: readonly Call[] = [
      ["lookup", { id: "1", count: 3 }],
      ["lookup", { id: "A B" }],
    ];
    expect(compare(expected, made, "strict").problems).toEqual([]);
  });
});
