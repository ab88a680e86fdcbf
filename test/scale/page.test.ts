import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { differencesOf, TOLERANCE } from "./compare-with-real.ts";
import { fillPage, PAGE } from "./page.ts";
import { readResults } from "./results.ts";

it("docs/scale-measurements.md says what the program finds: npm run scale -- --write", { timeout: 120_000 }, () => {
  const page = readFileSync(join(repositoryRoot, PAGE), "utf8");
  expect(fillPage(page, readResults())).toBe(page);
});

it("the simulation was within its tolerance of real replicas when it was measured", () => {
  const { comparisons } = readResults();
  expect(comparisons.map(({ replicas }) => replicas)).toEqual([1, 2, 3]);
  for (const comparison of comparisons) {
    const { transactions, walBytes } = differencesOf(comparison);
    expect(transactions).toBeLessThan(TOLERANCE.transactions);
    expect(comparison.real.notifications).toBeLessThan(comparison.simulated.notifications * 1.25);
    expect(walBytes).toBeLessThan(TOLERANCE.walBytes);
  }
});
