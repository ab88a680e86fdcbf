import { getResolvedPDFJS } from "unpdf";
import { expect, it } from "vitest";

/** Versions of pdf.js with a published advisory: from the first one on, up to but without the second one. */
const ADVISORIES: readonly (readonly [id: string, from: string, before: string])[] = [
  ["GHSA-hq66-cqwq-w95j", "5.6.83", "6.2.108"],
  ["GHSA-wgrm-67xf-hhpq", "0.0.0", "4.2.67"],
];

function compare(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

it.each(ADVISORIES)("bundles no pdf.js of %s", async (_id, from, before) => {
  const { version } = await getResolvedPDFJS();
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect({ version, isAffected: compare(version, from) >= 0 && compare(version, before) < 0 }).toEqual({
    version,
    isAffected: false,
  });
});
