import fc from "fast-check";
import { expect, it } from "vitest";
import { centralityOf } from "../../../../../src/tools/builtin/text-summarizer/extractive/centrality.ts";

type Matrix = number[][];

/** Shares of visits by elimination in the linear equations of PageRank (Brin and Page 1998), no iteration. */
function solved(weights: Matrix, damping = 0.85): readonly number[] {
  const count = weights.length;
  const rows = weights.map((_, to) => [
    ...weights.map((row, from) => {
      const total = row.reduce((sum, weight) => sum + weight, 0);
      const share = total === 0 ? 1 / count : (row[to] ?? 0) / total;
      return (to === from ? 1 : 0) - damping * share;
    }),
    (1 - damping) / count,
  ]);
  for (const [at, row] of rows.entries()) {
    const pivot = row[at] ?? 1;
    for (const [place, value] of row.entries()) row[place] = value / pivot;
    for (const other of rows) {
      if (other === row) continue;
      const factor = other[at] ?? 0;
      for (const [place, value] of row.entries()) other[place] = (other[place] ?? 0) - factor * value;
    }
  }
  return rows.map((row) => row[count] ?? 0);
}

it("is what the equations of PageRank say", () => {
  const matrix = fc.integer({ min: 1, max: 7 }).chain((count) => {
    const weight = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
    );
    return fc.array(fc.array(weight, { minLength: count, maxLength: count }), { minLength: count, maxLength: count });
  });
  fc.assert(
    fc.property(matrix, (weights) => {
      const graph = weights.map((row) => row.map((weight, to) => ({ to, weight })).filter((edge) => edge.weight > 0));
      const shares = [...centralityOf(graph)];
      for (const [at, share] of solved(weights).entries()) expect(shares[at]).toBeCloseTo(share, 3);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    }),
  );
});
