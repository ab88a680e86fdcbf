import type { CallState } from "./state.ts";

/** A call that was one too many of its turn never ran, and says nothing about its tool. */
export function exceededTurnLimit({ error }: CallState): boolean {
  return error?.code === "BUDGET_EXCEEDED" && error.source === "gateway";
}
