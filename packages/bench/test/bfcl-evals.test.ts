import { reasonsOf } from "@yagate/evals";
import { expect, it } from "vitest";
import { BFCL_FILES, readBfcl } from "../bfcl/corpus.ts";
import { playRoundTrips } from "../bfcl/play-round-trips.ts";

/** The extended test plays all of them. */
const CASES_OF_EACH_FILE = 8;

it("expected calls of each file of BFCL pass as eval cases", async () => {
  const files = BFCL_FILES.filter((file) => !/java|irrelevance|relevance/.test(file));
  const all = await readBfcl(files);
  const cases = files.flatMap((file) => all.filter((one) => one.file === file).slice(0, CASES_OF_EACH_FILE));
  const { report, skipped } = await playRoundTrips(cases);
  const open = report.cases.filter(({ outcome }) => outcome !== "passed");
  expect(open.map((one) => [one.caseId, ...reasonsOf(one)])).toEqual([]);
  expect(skipped).toEqual([]);
  expect(report.summary).toMatchObject({ cases: 64, passed: 64, scores: { arguments: 1, selection_precision: 1 } });
});
