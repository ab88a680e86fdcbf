import { expect, it } from "vitest";
import { closingLines } from "../../scripts/vitest-closing-lines.ts";

it("the closing lines are passed on as they were printed", () => {
  const output =
    " ✓ a.test.ts\n\n Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)\n   Start at  08:00:00\n";
  expect(closingLines(output)).toEqual([" Test Files  1 passed (1)", "      Tests  2 passed | 1 skipped (3)"]);
});

it.each(["", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n", "Tests  0 passed (0)"])(
  "a run in which nothing passed is no success",
  (output) => {
    expect(() => closingLines(output)).toThrow("did not say that any test passed");
  },
);
