import type { Cost, ModelCall } from "@yagate/protocol";
import { addCosts, NO_COST } from "./cost.ts";

/** What questions of tools cost together. */
export function costOfModelCalls(calls: readonly ModelCall[]): Cost {
  return calls.reduce((sum, { cost }) => addCosts(sum, cost), NO_COST);
}
