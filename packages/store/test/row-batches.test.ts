import { expect, it } from "vitest";
import { commaList, inBatches } from "../src/row-batches.ts";
import { joinSql, sql } from "../src/sql.ts";

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => index);

it.each<[number, readonly number[]]>([
  [0, []],
  [1, [1]],
  [9, Array(9).fill(1)],
  [10, [10]],
  [111, [100, 10, 1]],
  [2_000, Array(20).fill(100)],
])("splits %i rows into batches of 100, 10 and 1, in their order", (count, sizes) => {
  const batches = inBatches(rowsOf(count));
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(batches.flat()).toEqual(rowsOf(count));
});

it("makes one statement of a batch, with the values of each row", () => {
  const statement = joinSql([sql`VALUES `, ...commaList(rowsOf(3), (row) => sql`(${row}, ${`n${row}`})`)]);
  expect([...statement.parts]).toEqual(["VALUES (", ", ", "), (", ", ", "), (", ", ", ")"]);
  expect(statement.values).toEqual([0, "n0", 1, "n1", 2, "n2"]);
});
