import { expect, it } from "vitest";
import { type DefectRow, judgeDefect } from "../support/judge-defect.ts";

it.each<DefectRow>([
  [
    "nothing remembered",
    ["replay", "retry", "duplicates-at-once", "replay-other-headers"],
    ["same-id-other-parameters"],
  ],
  ["remembered after the run", ["duplicates-at-once"], []],
  ["remembered by Idempotency-Key", ["replay-other-headers", "old-headers-new-call"], ["same-id-other-parameters"]],
  [
    "remembered before it is verified",
    ["replay-other-headers", "old-headers-new-call", "forged-first", "retry-after-failure"],
    ["same-id-other-parameters"],
  ],
  ["retryable failures remembered", ["retry-after-failure"], []],
  ["parameters not compared", [], ["same-id-other-parameters"]],
  ["answers not signed", [], ["answer-signed"]],
  ["answers signed without the status", ["answer-signature-right"], []],
  ["answers signed as calls are", ["answer-signature-right"], []],
  ["500 for what is no JSON", ["body-empty", "malformed-json"], ["call-invalid-utf8"]],
  ["parsed before it is verified", ["body-empty", "malformed-json", "malformed-json-unsigned"], ["call-invalid-utf8"]],
  ["no limit of size", ["oversize", "oversize-chunked"], ["call-too-large", "oversize-announced", "status-too-large"]],
  ["inflates", ["compressed-oversize"], ["compressed"]],
  ["stack traces in answers", ["no-stack-trace"], []],
  ["expected signature in answers", ["no-right-signature"], []],
  ["secret in answers", ["no-secret"], []],
  ["payload in answers", [], ["no-payload"]],
  ["runs on GET", ["get"], []],
  ["runs any tool", [], ["status-unknown-tool"]],
  ["answers as text", [], ["answer-content-type"]],
  ["serves one request at a time", ["slow-body-others"], []],
  ["500 for everything under load", ["duplicates-at-once"], []],
  ["duplicates not signed", ["replay", "retry", "duplicates-at-once", "replay-other-headers"], []],
])("%s: exactly the cases about that fail", async (defect, required, recommended) => {
  expect(await judgeDefect(defect)).toMatchObject({ required, recommended });
});
