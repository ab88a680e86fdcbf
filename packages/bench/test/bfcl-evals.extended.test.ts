import { reasonsOf } from "@yagate/evals";
import { expect, it } from "vitest";
import { BFCL_FILES, readBfcl } from "../bfcl/corpus.ts";
import { playRoundTrips } from "../bfcl/play-round-trips.ts";

it("the expected calls of all Python cases of BFCL pass as eval cases", { timeout: 600_000 }, async () => {
  const cases = await readBfcl(BFCL_FILES.filter((file) => !/java|irrelevance|relevance/.test(file)));
  const { report, skipped } = await playRoundTrips(cases);
  const open = report.cases.filter(({ outcome }) => outcome !== "passed");
  expect(open.map((one) => [one.caseId, ...reasonsOf(one)])).toEqual([]);
  expect(report.summary.cases + skipped.length).toBe(cases.length);
  expect(report.summary.passed).toBeGreaterThanOrEqual(500);
});
