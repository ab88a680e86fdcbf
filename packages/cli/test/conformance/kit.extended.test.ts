import { expect, it, vi } from "vitest";
import { failedIds, judged } from "../support/judged.ts";
import { KIT_SERVERS, kitHandler, mountAfterExpressRaw } from "../support/kit-servers.ts";
import { OTHER_SECRET } from "../support/signed-request.ts";

const AUDIENCE = "https://orders.example.com/tools";

const judgeKit = (url: string) =>
  judged(url, {
    audience: AUDIENCE,
    isAudienceChecked: true,
    previousSecret: OTHER_SECRET,
    wrongParameters: { text: 1 },
    isAnswerSignatureRequired: true,
  });

it.each(KIT_SERVERS)("the kit in %s passes every case", async (_name, mount) => {
  const { cases } = await judgeKit(await mount(kitHandler(AUDIENCE)));
  const others = cases.filter(({ outcome }) => outcome !== "pass");
  expect(others).toEqual([expect.objectContaining({ id: "slow-body-cut", outcome: "not-judged" })]);
});

it.each([
  ["production", []],
  ["development", ["no-stack-trace"]],
] as const)("behind express.raw() in %s its reader answers for large bodies, not the kit", async (env, required) => {
  // Express writes what it answers for.
  vi.spyOn(console, "error").mockImplementation(() => {});
  const report = await judgeKit(await mountAfterExpressRaw(kitHandler(AUDIENCE), env));
  expect(failedIds(report, "required")).toEqual(required);
  expect(failedIds(report, "recommended")).toEqual(["oversize-announced", "status-too-large"]);
});
