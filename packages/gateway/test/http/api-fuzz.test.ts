import { expect, it } from "vitest";
import { fuzzedGateway } from "./support/fuzz/fuzzed-gateway.ts";

// The same requests in every run; api-fuzz.extended.test.ts makes thousands of others.
it("answers requests made from its own document as the document says", async () => {
  const run = await fuzzedGateway({ requests: 160, seed: 20_261_122 });
  expect(run.violations).toEqual([]);
  expect(run.requests).toBe(160);
  expect(run.succeeded.length).toBeGreaterThan(25);
});
