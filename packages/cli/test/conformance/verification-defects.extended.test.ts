import { expect, it } from "vitest";
import { type DefectRow, judgeDefect } from "../support/judge-defect.ts";

/** Calls that nobody signed in this way. */
const FORGED = [
  "sig-body-changed",
  "sig-other-secret",
  "sig-none-valid",
  "sig-only-unknown",
  "sig-sha1-as-sha256",
  "sig-label-only",
  "sig-odd",
  "sig-last-flip",
  "sig-no-downgrade",
  "sig-decoded-key",
  "rot-removed",
  "key-empty",
  "key-prefix-only",
  "key-one-empty",
  "body-newline",
  "body-reserialised",
];
const LOOSE_FORMS = ["sig-no-label", "sig-trailing", "sig-eleven", "sig-upper-hex", "sig-semicolon", "sig-fullwidth"];

it("a handler without a defect passes every case", async () => {
  const { report } = await judgeDefect();
  const others = report.cases.filter(({ outcome }) => outcome !== "pass");
  expect(others).toMatchObject([
    { id: "slow-body-cut", outcome: "not-judged" },
    { id: "wrong-parameters", outcome: "not-asked" },
    { id: "manifest-signed", outcome: "not-asked" },
    { id: "manifest-valid", outcome: "not-asked" },
    { id: "manifest-has-tool", outcome: "not-asked" },
    { id: "manifest-known-fields", outcome: "not-asked" },
    { id: "describe-errors-signed", outcome: "not-asked" },
  ]);
  expect(report).toMatchObject({ conforms: true, summary: { requiredFailed: 0, requiredNotJudged: 0 } });
});

it.each<DefectRow>([
  [
    "signature not checked",
    ["sig-missing", "sig-empty", ...FORGED, "body-nfd", "signature-twice-wrong", "call-signed-as-describe"],
    [...LOOSE_FORMS, "status-signature-missing", "status-signature-malformed", "status-signature-mismatch"],
  ],
  ["signature checked only if there is one", ["sig-missing", "sig-empty"], ["status-signature-missing"]],
  ["first entry alone", ["sig-second-valid", "sig-unknown-skipped"], ["sig-empty-elements", "signature-twice"]],
  [
    "whole header compared",
    ["sig-second-valid", "sig-unknown-skipped"],
    ["sig-empty-elements", "signature-twice", "status-signature-malformed"],
  ],
  ["any entry that the right one starts with", ["sig-label-only", "sig-odd"], []],
  [
    "body written again before it is hashed",
    ["body-odd-json", "body-newline", "body-reserialised", "body-empty", "malformed-json"],
    ["call-invalid-utf8"],
  ],
  ["decoded secret accepted as key", ["sig-decoded-key"], []],
  ["empty secret accepted as key", ["key-empty", "key-one-empty"], []],
  [
    "webhook-signature rescues",
    [...FORGED, "body-nfd", "signature-twice-wrong"],
    [...LOOSE_FORMS, "status-signature-malformed", "status-signature-mismatch"],
  ],
  ["date not checked", ["call-old", "call-future"], ["status-too-old", "status-in-future"]],
  ["date in the future not checked", ["call-future"], ["status-in-future"]],
  [
    "date that can't be read taken for fresh",
    ["call-timestamp-empty", "call-timestamp-not-a-date", "call-timestamp-nan", "call-no-timestamp"],
    ["call-timestamp-number", "call-timestamp-no-zone"],
  ],
  ["unknown fields refused", ["body-odd-json", "call-extra-field", "call-with-describe-fields"], []],
  ["audience not compared", ["audience-other", "audience-missing"], []],
  [
    "200 for what is refused",
    [
      "sig-missing",
      "sig-empty",
      ...FORGED,
      "body-invalid-utf8-swapped",
      "body-nfd",
      "call-old",
      "call-future",
      "malformed-json-unsigned",
      "signature-twice-wrong",
      "call-signed-as-describe",
      "describe-unsigned",
      "describe-other-secret",
      "describe-changed",
      "describe-old",
      "describe-future",
      "describe-no-id",
      "describe-audience-other",
      "manifest-signed",
      "manifest-valid",
      "manifest-has-tool",
    ],
    [
      ...LOOSE_FORMS,
      "status-signature-missing",
      "status-signature-malformed",
      "status-signature-mismatch",
      "status-too-old",
      "status-in-future",
      "manifest-known-fields",
      "describe-errors-signed",
    ],
  ],
])("%s: exactly the cases about that fail", async (defect, required, recommended) => {
  expect(await judgeDefect(defect)).toMatchObject({ required, recommended });
});
