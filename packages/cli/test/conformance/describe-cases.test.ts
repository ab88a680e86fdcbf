import { expect, it } from "vitest";
import { allCases } from "../../src/conformance/all-cases.ts";
import { type DescribeDefect, startDescribing } from "../support/describing-handler.ts";
import { startHandwritten } from "../support/handwritten-handler.ts";
import { failedIds, judged } from "../support/judged.ts";
import { KIT_SERVERS, kitHandler } from "../support/kit-servers.ts";
import { SECRET } from "../support/signed-request.ts";

const AUDIENCE = "https://orders.example.com/tools";
const cases = allCases().filter(({ group }) => group === "describe");

const judge = (url: string, counterUrl?: string) =>
  judged(url, { audience: AUDIENCE, isAudienceChecked: true }, counterUrl, cases);

const describing: readonly (readonly [string, () => Promise<string>])[] = [
  ["without the kit", () => startDescribing()],
  ...KIT_SERVERS.map(([name, mount]) => [`with the kit in ${name}`, () => mount(kitHandler(AUDIENCE))] as const),
];

it.each(describing)("a handler %s that describes its tools passes every case", async (_name, start) => {
  const report = await judge(await start());
  expect(report.cases.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
  expect(report.cases).toHaveLength(cases.length);
});

it("a handler that knows only calls passes what is asked of every handler", async () => {
  const { url } = await startHandwritten({ secrets: [SECRET], audience: AUDIENCE });
  const report = await judge(url);
  const others = report.cases.filter(({ outcome }) => outcome !== "pass");
  expect(others).toMatchObject(
    ["manifest-signed", "manifest-valid", "manifest-has-tool", "manifest-known-fields", "describe-errors-signed"].map(
      (id) => ({ id, outcome: "not-asked" }),
    ),
  );
  expect(report).toMatchObject({ conforms: true });
});

const wronglySigned = { required: ["manifest-signed"], recommended: ["describe-errors-signed"] };

it.each<[DescribeDefect, required: readonly string[], recommended: readonly string[]]>([
  ["describes to anyone", ["describe-unsigned", "describe-other-secret", "describe-changed"], []],
  ["runs describe requests", ["describe-runs-nothing"], []],
  ["age not checked", ["describe-old", "describe-future"], []],
  ["audience not compared", ["describe-audience-other"], []],
  ["describes what is signed as a call", ["describe-signed-as-call"], []],
  ["runs what is signed as a describe request", ["call-signed-as-describe"], []],
  ["describes calls that look like it", ["call-with-describe-fields", "describe-signed-as-call"], []],
  ["id not required", ["describe-no-id"], []],
  ["no limit of size", ["describe-oversize"], []],
  ["manifest not signed", wronglySigned.required, wronglySigned.recommended],
  ["manifest signed without its status", wronglySigned.required, wronglySigned.recommended],
  ["manifest signed for another request", wronglySigned.required, wronglySigned.recommended],
  ["manifest signed as the answer to a call", wronglySigned.required, wronglySigned.recommended],
  ["a tool too few", ["manifest-has-tool"], []],
  ["a description of 5 KiB", ["manifest-valid", "manifest-has-tool"], ["manifest-known-fields"]],
  ["an approval mode in a tool", [], ["manifest-known-fields"]],
  ["a URL in the manifest", [], ["manifest-known-fields"]],
  ["errors not signed", [], ["describe-errors-signed"]],
  ["500 instead of a manifest", ["manifest-valid", "manifest-has-tool"], ["manifest-known-fields"]],
])("%s: exactly the cases about that fail", async (defect, required, recommended) => {
  const url = await startDescribing(defect);
  const report = await judge(url, url);
  expect([failedIds(report, "required"), failedIds(report, "recommended")]).toEqual([required, recommended]);
});
