import type { ReceivedEvent } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { buildTimeline } from "../src/pages/execution/timeline.ts";

/** Builds events with numbers and times, one second apart. */
function log(...events: readonly Readonly<Record<string, unknown>>[]): readonly ReceivedEvent[] {
  return events.map((event, index) => ({
    ...{ seq: index + 1, at: new Date(Date.UTC(2026, 0, 15, 9, 0, index)).toISOString(), executionId: "exec_1" },
    ...event,
  })) as unknown as readonly ReceivedEvent[];
}

const turn = (number: number) => ({ type: "model.requested", turn: number, attempt: 1, model: "scripted/turns" });
const call = { type: "tool_call.requested", toolCallId: "tc_1", name: "web_search", parameters: {}, kind: "handler" };

describe("the timeline", () => {
  it("shows a route decision in the turn that it is for, and why a call moved", () => {
    const decided = {
      ...{ type: "route.decided", turn: 1, model: "scripted/turns", rules: [], toolChoice: "auto" },
      intents: [
        { intent: "web.search", tool: "web_search", chosen: "acme.search" },
        { intent: "url.fetch", tool: "url_fetch", chosen: null },
      ],
    };
    const changed = {
      ...{ type: "route.changed", toolCallId: "tc_1", from: { key: "acme.search" }, to: { key: "other.search" } },
      error: { code: "TIMEOUT", message: "too late" },
    };
    const rows = buildTimeline(log(decided, turn(1), call, changed));
    expect(rows.map(({ type, level }) => [type, level])).toEqual([
      ["turn", 1],
      ["note", 2],
      ["call", 2],
      ["note", 3],
    ]);
    expect(rows[1]).toMatchObject({
      text: "Route: web.search → acme.search, url.fetch → no capability",
      routeSeq: 1,
      kind: "ok",
    });
    expect(rows[3]).toMatchObject({ text: "moved from acme.search to other.search", code: "TIMEOUT" });
  });

  it("marks the turns that a replay copied", () => {
    const rows = buildTimeline(log(turn(1), turn(2), turn(3)), 2);
    expect(rows.map((row) => row.type === "turn" && row.isCopied)).toEqual([true, true, false]);
  });
});
