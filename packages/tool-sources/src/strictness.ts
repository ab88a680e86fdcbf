import { riskOf } from "@yagate/lib/tools/risk-of";
import { type RiskClass, riskClassSchema, type SideEffect, sideEffectSchema } from "@yagate/protocol";

/** From the mildest to the most severe. An undeclared side effect is stricter than `read_only` only. */
const SIDE_EFFECTS: readonly (SideEffect | null)[] = sideEffectSchema.options.flatMap((each) =>
  each === "read_only" ? [each, null] : [each],
);
/** From the mildest to the most severe. An undeclared risk class is stricter than those of reads only. */
const RISKS: readonly (RiskClass | null)[] = riskClassSchema.options.flatMap((each) =>
  each === "external_read" ? [each, null] : [each],
);

/** What a tool declares about the effect of its calls. */
export interface DeclaredEffect {
  readonly sideEffect?: SideEffect | undefined;
  readonly risk?: RiskClass | undefined;
}

/**
 * Whether a definition has a weaker side effect or risk class than an earlier one, so that fewer calls are held back. A
 * definition that declares no risk class has the one that follows from its side effect.
 */
export function isLaxer(before: DeclaredEffect, after: DeclaredEffect): boolean {
  return (
    SIDE_EFFECTS.indexOf(after.sideEffect ?? null) < SIDE_EFFECTS.indexOf(before.sideEffect ?? null) ||
    RISKS.indexOf(riskOf(after)) < RISKS.indexOf(riskOf(before))
  );
}
