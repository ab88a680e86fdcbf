import { expect, it } from "vitest";
import { describeSource } from "../../src/gateway/live-log/describe-source.ts";

const report = { at: "2026-11-23T10:00:00.000Z", source: { id: "src_1", name: "orders" } };
const tools = { added: [], changed: [], removed: [], held: [] };

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
    [expect.stringMatching(/^orders\.a waiting to be accepted: .*sources diff orders$/)],
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
