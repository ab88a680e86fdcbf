import { expect, it } from "vitest";
import { measureVerification } from "../verification/compare.ts";

/** CPU time of `verifyCall` relative to the hand-written verifier. It is 1.6 if each call decodes its secrets. */
const MAX_CPU_RATIO = 1.3;

// CPU time, not the clock, and the lower end of the interval: a busy machine changes both sides alike.
it("verifyCall takes at most 1.3 times the CPU of a hand-written verifier", { timeout: 60_000 }, async () => {
  const { cpu } = await measureVerification(15, { operations: 4_000, concurrency: 1 });
  expect(cpu.least).toBeLessThanOrEqual(MAX_CPU_RATIO);
});
