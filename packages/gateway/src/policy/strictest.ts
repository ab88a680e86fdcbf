import {
  type ApprovalMode,
  type RiskClass,
  riskClassSchema,
  type SideEffect,
  sideEffectSchema,
} from "@yagate/protocol";

// The protocol lists both from the mildest to the gravest.
const SIDE_EFFECTS = sideEffectSchema.options;
const RISKS = riskClassSchema.options;
/** Each asks before all that the one before it asks for. */
const MODES: readonly ApprovalMode[] = ["never", "destructive", "writes", "always"];

/** What does most to the world; undefined: nothing is known of any. */
export function strictestSideEffect(declared: readonly (SideEffect | undefined)[]): SideEffect | undefined {
  return SIDE_EFFECTS.findLast((each) => declared.includes(each));
}

/** The class of most harm; undefined: nothing is known of any. */
export function strictestRisk(declared: readonly (RiskClass | undefined)[]): RiskClass | undefined {
  return RISKS.findLast((each) => declared.includes(each));
}

/** The mode that asks most often; undefined: there is none. */
export function strictestApproval(declared: readonly (ApprovalMode | undefined)[]): ApprovalMode | undefined {
  return MODES.findLast((each) => declared.includes(each));
}
