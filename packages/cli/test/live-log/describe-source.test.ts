import { expect, it } from "vitest";
import { describeSource } from "../../src/gateway/live-log/describe-source.ts";

const report = { at: "2026-11-23T10:00:00.000Z", source: { id: "src_1", name: "orders" } };
const tools = { added: [], changed: [], removed: [], held: [], changedFields: {} };

const MANY = Array.from({ length: 21 }, (_, index) => `orders.t${index}`);

it.each([
  [{ type: "changed", ...tools, added: ["orders.a", "orders.b"] }, "done", "added orders.a, orders.b", []],
  [
    { type: "changed", ...tools, changed: ["orders.a"], removed: ["orders.c"] },
    "done",
    "changed orders.a; removed orders.c",
    [],
  ],
  [
    { type: "changed", ...tools, added: ["orders.a"], held: ["orders.a"] },
    "waiting",
    "added orders.a",
    [
      expect.stringMatching(/^orders\.a waiting to be accepted: .*sources diff orders$/),
      expect.stringMatching(/^To accept: .*sources accept orders orders\.a$/),
    ],
  ],
  [
    {
      type: "changed",
      ...{ ...tools, changed: ["orders.a", "orders.b"], held: ["orders.a", "orders.b"] },
      changedFields: { "orders.a": ["description", "url"] },
    },
    "waiting",
    "changed orders.a (description, url), orders.b",
    [
      expect.stringMatching(/^orders\.a, orders\.b waiting to be accepted: /),
      expect.stringMatching(/^To accept: .*sources accept orders orders\.a orders\.b$/),
    ],
  ],
  [
    { type: "changed", ...tools, added: MANY, held: MANY },
    "waiting",
    `added ${MANY.join(", ")}`,
    [expect.any(String), expect.stringMatching(/ sources accept orders --all$/)],
  ],
] as const)("a report %j is one line", (rest, kind, text, details) => {
  const entry = describeSource({ ...report, ...rest });
  expect(entry).toEqual({ at: report.at, id: "src_1", kind, text: `tool source orders: ${text}`, details });
});

it("a failure has its code, its message and what to do", () => {
  expect(describeSource({ ...report, type: "failed", code: "SOURCE_UNREACHABLE", message: "gone" })).toMatchObject({
    ...{ kind: "failed", text: "SOURCE_UNREACHABLE tool source orders: gone" },
    details: [expect.stringMatching(/^Try: .*sources sync orders$/)],
  });
});
