import { expect } from "vitest";
import type { IdempotencyStore } from "../../../src/index.ts";
import { callTool } from "../../../src/testing.ts";
import { call, handlerOf, toolThat } from "../../support/tools.ts";

/** Holds a handler to what it must do when it can't ask its store: refuse in time, say so in its log, run nothing. */
export async function expectRefusedCall(idempotency: IdempotencyStore): Promise<void> {
  let runs = 0;
  const { handler, logger } = handlerOf(
    toolThat(() => (runs += 1)),
    { idempotency },
  );
  const start = performance.now();
  // 5xx is what a gateway sends again.
  const answer = await callTool(handler, call({ timeoutMs: 2_000 }));
  expect(answer).toMatchObject({ status: 500, isSigned: true, error: { code: "INTERNAL" } });
  expect(performance.now() - start).toBeLessThan(1_900);
  expect(runs).toBe(0);
  expect(logger.lines).toMatchObject([{ level: "error", message: "the handler failed" }]);
}
