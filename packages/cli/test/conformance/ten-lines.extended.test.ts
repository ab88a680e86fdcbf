import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { failedIds, judged } from "../support/judged.ts";
import { pageBlock } from "../support/page-block.ts";
import { SECRET } from "../support/signed-request.ts";

const HANDLER = pageBlock("docs/conformance.md", "js");

/** The program of the page, on a free port. */
async function start(program: string): Promise<string> {
  const file = join(await makeFolder(), "handler.mjs");
  await writeFile(
    file,
    program.replace("listen(3000)", 'listen(0, "127.0.0.1", function () { console.log(this.address().port); })'),
  );
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [file], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH, YAGATE_SIGNING_SECRET: SECRET },
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
  const [port] = await once(child.stdout, "data");
  return `http://127.0.0.1:${Number(port)}/tools`;
}

it("the verifier of the page is that of docs/verify-in-any-language.md", () => {
  const verifier = /function isSigned[\s\S]*?\n}\n/.exec(HANDLER)?.[0];
  expect(verifier).toBeDefined();
  expect(pageBlock("docs/verify-in-any-language.md", "js")).toContain(verifier);
});

it("a handler of fifty lines around it passes all that is required", async () => {
  const report = await judged(await start(HANDLER), { flaky: undefined });
  expect(failedIds(report, "required")).toEqual([]);
  expect(report.summary).toMatchObject({ requiredNotJudged: 0, recommendedFailed: 13 });
});

it.each([
  ["limit", ["oversize", "oversize-chunked"]],
  ["no JSON", ["body-empty", "malformed-json"]],
  [
    "date",
    [
      "call-old",
      "call-future",
      "call-timestamp-empty",
      "call-timestamp-not-a-date",
      "call-timestamp-nan",
      "call-no-timestamp",
    ],
  ],
  ["once", ["replay", "retry", "duplicates-at-once", "replay-other-headers"]],
])("without its line for the %s it fails what the page says", async (name, required) => {
  const lines = HANDLER.split("\n");
  const index = lines.findIndex((line) => line.endsWith(`// ${name}`));
  expect(index).toBeGreaterThan(0);
  const report = await judged(await start(lines.toSpliced(index, 1).join("\n")), { flaky: undefined });
  expect(failedIds(report, "required")).toEqual(expect.arrayContaining(required));
  expect(failedIds(report, "required").filter((id) => !required.includes(id))).toEqual([]);
});
