import { type RiskClass, riskClassSchema, type SideEffect, sideEffectSchema } from "@yagate/protocol";

// The protocol lists both from the mildest to the most severe.
const SIDE_EFFECTS = sideEffectSchema.options;
const RISKS = riskClassSchema.options;

/** Returns the most severe of the declared side effects; undefined if none is declared. */
export function strictestSideEffect(declared: readonly (SideEffect | undefined)[]): SideEffect | undefined {
  return SIDE_EFFECTS.findLast((each) => declared.includes(each));
}

/** Returns the most severe of the declared risk classes; undefined if none is declared. */
export function strictestRisk(declared: readonly (RiskClass | undefined)[]): RiskClass | undefined {
  return RISKS.findLast((each) => declared.includes(each));
}
