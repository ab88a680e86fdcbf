import { describe, expect, it } from "vitest";
import {
  installedVersions,
  isAffected,
  judgeAudit,
  type ListedAdvisory,
  listedAdvisories,
} from "../../scripts/advisories.ts";

const listed = listedAdvisories();

describe("the page of advisories", () => {
  it.each(listed.map((advisory) => [advisory.id, advisory] as const))("is true of %s", (_id, advisory) => {
    const versions = installedVersions(advisory.packageName);
    expect(versions).not.toEqual([]);
    const affected = versions.filter((version) => isAffected(version, advisory.affected));
    if (advisory.state === "repaired") expect(affected).toEqual([]);
    // Otherwise the row is out of date: the advisory was repaired meanwhile.
    else expect(affected).not.toEqual([]);
  });

  it("lists each advisory once", () => {
    expect(listed.length).toBeGreaterThan(5);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  });
});

it.each([
  ["5.6.205", ">=5.6.83 <6.2.108", true],
  ["6.2.108", ">=5.6.83 <6.2.108", false],
  ["5.6.9", ">=5.6.83 <6.2.108", false],
  ["10.0.0", "<9.1.0", false],
  ["1.8.1", "<=1.8.1", true],
  ["1.8.1", ">1.8.1", false],
])("%s in %s: %s", (version, range, expected) => {
  expect(isAffected(version, range)).toBe(expected);
});

describe("an audit", () => {
  const known: readonly ListedAdvisory[] = [
    { id: "GHSA-aaaa-bbbb-cccc", packageName: "left", affected: "<2.0.0", state: "unreachable" },
    { id: "GHSA-dddd-eeee-ffff", packageName: "right", affected: "<2.0.0", state: "repaired" },
  ];
  const report = (...ids: readonly string[]) =>
    JSON.stringify({
      vulnerabilities: {
        left: { via: ids.map((id) => ({ name: "left", url: `https://github.com/advisories/${id}` })) },
        parent: { via: ["left"] },
      },
    });

  it.each<[string, string, ReturnType<typeof judgeAudit>]>([
    ["finds nothing", JSON.stringify({ vulnerabilities: {} }), { unlisted: [] }],
    ["finds what is explained", report("GHSA-aaaa-bbbb-cccc"), { unlisted: [] }],
    ["finds what is not listed", report("GHSA-1111-2222-3333"), { unlisted: ["GHSA-1111-2222-3333 names left"] }],
    [
      "finds what is listed as repaired",
      report("GHSA-dddd-eeee-ffff"),
      { unlisted: ["GHSA-dddd-eeee-ffff names left"] },
    ],
    ["is refused by the registry", JSON.stringify({ statusCode: 405, message: "not allowed" }), { unanswered: true }],
    ["gets no answer", "npm error network", { unanswered: true }],
  ])("that %s", (_name, output, verdict) => {
    expect(judgeAudit(output, known)).toEqual(verdict);
  });
});
