import { expect, it } from "vitest";
import { describeLogLine } from "../../src/gateway/live-log/describe-log-line.ts";

const TIME = Date.parse("2026-11-24T10:00:00Z");

it.each<[string, object, string, string]>([
  [
    "an error",
    { level: 50, error: { type: "Error", message: "no space", stack: "…" }, executionId: "exec_1" },
    "failed",
    "background work failed: no space executionId=exec_1",
  ],
  [
    "fields that are not text",
    { level: 30, storedBytes: 3, names: ["a"] },
    "step",
    'background work failed storedBytes=3 names=["a"]',
  ],
])("a line of the gateway's log with %s is one line for people", (_what, fields, kind, text) => {
  const line = JSON.stringify({ time: TIME, pid: 1, hostname: "host", msg: "background work failed", ...fields });
  expect(describeLogLine(`${line}\n`)).toEqual({
    ...{ at: "2026-11-24T10:00:00.000Z", id: "gateway", kind, text, details: [] },
  });
});

it("other lines are not described", () => {
  expect(describeLogLine("started\n")).toBeUndefined();
  expect(describeLogLine('{ "level": 30 }\n')).toBeUndefined();
});
