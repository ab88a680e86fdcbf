import { expect, it } from "vitest";
import { prepareAppend } from "../src/events/prepared-append.ts";
import { appendOf, approvalOf, entryOf, NOW } from "./support/fixtures.ts";

const resolved = (seq: number, approvalId: string) =>
  entryOf("exec_1", seq, { type: "approval.resolved", approvalId, status: "approved", keyId: "key_2" });

it("an approval that one append both asks for and resolves is written once, resolved", () => {
  const approval = approvalOf("ws_a", "exec_1");
  const append = appendOf("exec_1", 0, { approvals: [approval] });
  const prepared = prepareAppend(
    { ...append, entries: [resolved(1, approval.id), resolved(2, "apr_earlier")] },
    NOW,
    2,
  );
  expect(prepared.approvals).toMatchObject([{ approval, resolution: { approvalId: approval.id, status: "approved" } }]);
  expect(prepared.resolutions.map(({ approvalId }) => approvalId)).toEqual(["apr_earlier"]);
});
