import { describeRequestSchema } from "@yagate/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { assertDescribeRequest } from "../../src/describe/describe-guard.ts";
import { outcomeOf } from "../support/outcome.ts";

const full = {
  type: "describe",
  requestId: "dsc_01k9e5t8b8fxhv3c4n5p6q7r8s",
  timestamp: "2027-01-15T08:00:00.000Z",
  audience: "https://orders.example.com/tools",
};

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(
    undefined,
    "",
    "describe",
    "call",
    "dsc_",
    "dsc_1",
    "tc_1",
    "dsc_1.2",
    "DSC_1",
    `dsc_${"a".repeat(121)}`,
  ),
  fc.constantFrom("2027-01-15T08:00:00Z", "2027-02-30T08:00:00Z", "2027-01-15T08:00Z", "2027-01-15T08:00:00+00:00"),
  fc.stringMatching(/^dsc_[A-Za-z0-9_.\n-]{0,4}$/),
);
const changes = fc.dictionary(fc.constantFrom(...Object.keys(full), "more"), value, { maxKeys: 2 });

it("accepts what the schema accepts, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        changes.map((changed) => ({ ...full, ...changed })),
        fc.jsonValue(),
      ),
      async (request) => {
        const isAccepted = (await outcomeOf(() => assertDescribeRequest(request))) === "accept";
        expect(isAccepted).toBe(describeRequestSchema.safeParse(request).success);
      },
    ),
    { numRuns: 2_000 },
  );
});
