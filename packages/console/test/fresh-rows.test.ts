import type { Execution } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { holdFresh } from "../src/pages/executions/fresh-rows.ts";

const rows = (...ids: readonly string[]) => ids.map((id) => ({ id }) as Execution);

describe("new rows", () => {
  it.each<[string, string | undefined, readonly string[], number]>([
    ["are shown where none was seen", undefined, ["e5", "e4"], 0],
    ["are held while others are read", "e3", ["e3", "e2"], 2],
    ["are none where nothing is newer", "e5", ["e5", "e4"], 0],
    ["are counted where the row that was seen first is gone", "e2x", ["e2", "e1"], 3],
  ])("%s", (_name, shownFrom, shown, freshCount) => {
    const held = holdFresh(rows("e5", "e4", "e3", "e2", "e1"), shownFrom, 2);
    expect(held.rows.map(({ id }) => id)).toEqual(shown);
    expect(held.freshCount).toBe(freshCount);
  });
});
