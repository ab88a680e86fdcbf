import { expect, it } from "vitest";
import { type EntryRow, refusalOf } from "../../../src/idempotency/shared/entry-row.ts";

const finished = { state: "finished", fingerprint: "a", status: 200, attempt: 1, body: "{}" };

it.each<[string, EntryRow, unknown]>([
  ["a call that runs", { state: "running", fingerprint: "a" }, { state: "in_flight" }],
  ["a call that has ended", finished, { state: "finished", outcome: { status: 200, attempt: 1, body: "{}" } }],
  ["a call of other arguments", { ...finished, fingerprint: "b" }, { state: "conflict" }],
  ["an entry that may be claimed by now", { state: "running", fingerprint: "a", is_open: 1 }, undefined],
  [
    "an entry of other arguments that may be claimed by now",
    { ...finished, fingerprint: "b", is_open: true },
    undefined,
  ],
])("what refuses a claim: %s", (_what, row, expected) => {
  expect(refusalOf(row, "a")).toEqual(expected);
});
