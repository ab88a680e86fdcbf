import type { RiskClass, SideEffect } from "@yagate/protocol";

const SIDE_EFFECTS: readonly (SideEffect | null)[] = [
  "read_only",
  null,
  "idempotent_write",
  "non_idempotent_write",
  "destructive",
];
const RISKS: readonly (RiskClass | null)[] = [
  "read_only",
  "external_read",
  null,
  "draft_write",
  "idempotent_write",
  "business_write",
  "destructive",
];

/** What a tool declares about the effect of its calls. */
export interface DeclaredEffect {
  readonly sideEffect?: SideEffect | undefined;
  readonly risk?: RiskClass | undefined;
}

/** Returns the stricter of two side effects. An undeclared one is stricter than `read_only` only. */
export function stricterSideEffect(
  left: SideEffect | undefined,
  right: SideEffect | undefined,
): SideEffect | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return SIDE_EFFECTS.indexOf(left) > SIDE_EFFECTS.indexOf(right) ? left : right;
}

/** Returns the stricter of two risk classes; the declared one if only one is declared. */
export function stricterRisk(left: RiskClass | undefined, right: RiskClass | undefined): RiskClass | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return RISKS.indexOf(left) > RISKS.indexOf(right) ? left : right;
}

/** Whether a definition declares a weaker side effect or risk than an earlier one, so that fewer calls are held back. */
export function isLaxer(before: DeclaredEffect, after: DeclaredEffect): boolean {
  return (
    SIDE_EFFECTS.indexOf(after.sideEffect ?? null) < SIDE_EFFECTS.indexOf(before.sideEffect ?? null) ||
    (before.risk !== undefined && RISKS.indexOf(after.risk ?? null) < RISKS.indexOf(before.risk))
  );
}
