import type { ToolCallSummary } from "@yagate/protocol";
import { expect, it } from "vitest";
import { groupFailures } from "../src/pages/overview/failures.ts";

const call = (name: string, code: string | null, requestedAt: string) =>
  ({ name, code, requestedAt, status: code === null ? "denied" : "failed" }) as ToolCallSummary;

it("failed calls are grouped by code and tool, the largest group first, without old ones", () => {
  const groups = groupFailures(
    [
      call("refund", "TIMEOUT", "2026-01-15T12:00:00Z"),
      call("lookup", "BUSY", "2026-01-15T11:00:00Z"),
      call("lookup", "BUSY", "2026-01-15T10:00:00Z"),
      call("lookup", null, "2026-01-15T09:30:00Z"),
      call("lookup", "BUSY", "2026-01-13T09:00:00Z"),
    ],
    Date.parse("2026-01-14T12:00:00Z"),
  );
  expect(groups.map(({ code, tool, count, latest }) => [code, tool, count, latest.requestedAt])).toEqual([
    ["BUSY", "lookup", 2, "2026-01-15T11:00:00Z"],
    ["TIMEOUT", "refund", 1, "2026-01-15T12:00:00Z"],
    ["denied", "lookup", 1, "2026-01-15T09:30:00Z"],
  ]);
});
