import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { blocksOfAllPages } from "./doc-pages.ts";
import { isInstalled, RUNNERS, startable } from "./verifier-runners.ts";
import { verifierCases, wrongVerdicts } from "./verifier-verdict.ts";

const PAGE = "docs/verify-in-any-language.md";
const blocks = blocksOfAllPages().filter(
  // A whole handler is marked, and run by a test of the command line.
  ({ page, language, marks }) => page === PAGE && language in RUNNERS && !marks.includes("handler"),
);
const cases = verifierCases(readFileSync(join(repositoryRoot, "packages/protocol/vectors/signature.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "yagate-verifiers-"));

afterAll(() => rmSync(folder, { recursive: true }));

it.each(Object.keys(RUNNERS))("the page has one verifier in %s", (language) => {
  expect(blocks.filter((block) => block.language === language)).toHaveLength(1);
});

describe.each(Object.entries(RUNNERS))("the verifier in %s", (language, runner) => {
  const isHere = isInstalled(runner);

  it.skipIf(!isHere)(
    isHere ? "agrees with every vector" : `is not run: ${language} is not on this machine`,
    () => {
      const [block] = blocks.filter((candidate) => candidate.language === language);
      expect(block).toBeDefined();
      expect(wrongVerdicts(startable(runner, block?.text ?? "", folder), cases)).toEqual([]);
    },
    120_000,
  );
});

describe("the judgement of a verifier", () => {
  // A few vectors of each kind suffice: each verdict takes a process.
  const genuine = cases.filter((vector) => vector.expect === "accept");
  const some = [...genuine, ...cases.filter((vector) => vector.expect !== "accept").slice(0, 3)];
  const accepted = genuine.length;
  const judged = (text: string) => wrongVerdicts(["node", "--eval", text, "--"], some);

  it("finds every forged call that one lets through", () => {
    expect(judged("process.exit(0)")).toHaveLength(some.length - accepted);
    expect(accepted).toBeLessThan(some.length);
  });

  it("finds every genuine call that one refuses", () => {
    expect(judged("process.exit(1)")).toHaveLength(accepted);
    expect(accepted).toBeGreaterThan(0);
  });

  it("takes a crash for no refusal", () => {
    expect(judged("throw new Error('x')")).toHaveLength(some.length);
    expect(judged("process.exit(2)")).toHaveLength(some.length);
  });

  it("finds one that compares the whole header", () => {
    const wrong = judged(`
      const { createHmac } = require("node:crypto");
      const [header, secret] = process.argv.slice(-2);
      const body = require("node:fs").readFileSync(0);
      process.exit(header === "sha256=" + createHmac("sha256", secret).update(body).digest("hex") ? 0 : 1);
    `);
    expect(wrong).toEqual(expect.arrayContaining([expect.stringMatching(/^sig-second-valid/)]));
    expect(wrong.every((line) => line.includes("(accept)"))).toBe(true);
  });
});
