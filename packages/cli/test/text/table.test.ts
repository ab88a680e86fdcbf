import { describe, expect, it } from "vitest";
import { table } from "../../src/text/table.ts";

const ID = "exec_01jd3v0c8me9kxt3f6r2p5q7sa";
const INPUT = "Where is the order that I made on Monday, the one with two parcels?";
const ROWS = [
  ["ID", "STATUS", "INPUT"],
  [ID, "completed", INPUT],
];
const WHOLE = `${ID}  completed  ${INPUT}`;
const rowOf = (text: string) => text.split("\n").at(-1);

describe("a table", () => {
  it.each([52, 60, 80, 100])("fits a terminal of %s columns, and keeps the first column whole", (columns) => {
    const row = rowOf(table(ROWS, { isTTY: true, columns }));
    expect(row).toHaveLength(columns);
    expect(row).toMatch(new RegExp(`^${ID} {2}.*…$`));
  });

  it.each([
    ["a terminal that is wide enough", { isTTY: true, columns: WHOLE.length }],
    ["a file or a pipe", { columns: 20 }],
  ])("is cut nowhere on %s", (_where, screen) => {
    expect(rowOf(table(ROWS, screen))).toBe(WHOLE);
  });
});
