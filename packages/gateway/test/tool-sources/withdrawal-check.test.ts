import type { DefinitionStanding } from "@yagate/store/port";
import { expect, it } from "vitest";
import { createWithdrawalCheck } from "../../src/tool-sources/withdrawal-check.ts";

const VERSION = { tool: "tool_1", version: 1 };

/** Counts what a check asks the store about versions, and answers with `standing`. */
function startCheck(standing: DefinitionStanding | undefined) {
  const asked: string[] = [];
  const answers = { standing };
  const check = createWithdrawalCheck({
    standingOf: async () => "current",
    async standingOfVersion({ tool, version }) {
      asked.push(`${tool}:${version}`);
      return answers.standing;
    },
  });
  return { check, asked, answers };
}

it("calls of tools that never followed a source do not ask the store again", async () => {
  const { check, asked } = startCheck(undefined);
  for (let call = 0; call < 5; call += 1) expect(await check.refusalOfVersion(VERSION)).toBeUndefined();
  await check.refusalOfVersion({ ...VERSION, version: 2 });
  expect(asked).toEqual(["tool_1:1", "tool_1:2"]);
});

it("a tool that this process makes follow a source is checked from then on", async () => {
  const { check, answers } = startCheck(undefined);
  await check.refusalOfVersion(VERSION);
  answers.standing = "withdrawn";
  check.onAdopted();
  expect(await check.refusalOfVersion(VERSION)).toMatchObject({ code: "TOOL_HELD", outcome: "none" });
});

it("each call of a tool that follows a source asks the store", async () => {
  const { check, asked, answers } = startCheck("current");
  expect(await check.refusalOfVersion(VERSION)).toBeUndefined();
  answers.standing = "removed";
  expect(await check.refusalOfVersion(VERSION)).toMatchObject({ code: "TOOL_REMOVED" });
  answers.standing = "current";
  expect(await check.refusalOfVersion(VERSION)).toBeUndefined();
  expect(asked).toHaveLength(3);
});
