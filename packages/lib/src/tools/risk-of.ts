import type { RiskClass, SideEffect } from "@yagate/protocol";

const RISK_OF_SIDE_EFFECT = {
  read_only: "read_only",
  idempotent_write: "idempotent_write",
  non_idempotent_write: "business_write",
  destructive: "destructive",
} as const satisfies Record<SideEffect, RiskClass>;

/**
 * Returns the risk class of a tool: the declared one, or else the one that follows from its side effect; null if it
 * declares neither.
 */
export function riskOf(tool: {
  readonly sideEffect?: SideEffect | undefined;
  readonly risk?: RiskClass | undefined;
}): RiskClass | null {
  if (tool.risk !== undefined) return tool.risk;
  return tool.sideEffect === undefined ? null : RISK_OF_SIDE_EFFECT[tool.sideEffect];
}
