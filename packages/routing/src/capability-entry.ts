import type { CapabilityMode, CapabilityTarget, CostClass, DataClass, JsonObject, RiskClass } from "@yagate/protocol";

/** Something that can serve an intent: an entry of the gateway's table or of a workspace. */
export interface CapabilityEntry {
  readonly key: string;
  readonly intent: string;
  readonly mode: CapabilityMode;
  readonly target: CapabilityTarget;
  /** Template of the target's arguments; null: the parameters of the intent. */
  readonly args: JsonObject | null;
  /** JSON path of the part of the target's result that the model reads; null: the complete result. */
  readonly result: string | null;
  /** Globs of provider names; empty: all. */
  readonly providers: readonly string[];
  /** Globs of model names without the provider; empty: all. */
  readonly modelPatterns: readonly string[];
  /** 0 to 100. */
  readonly priority: number;
  readonly costClass: CostClass;
  readonly riskClass: RiskClass | null;
  readonly supportsCitations: boolean;
  readonly requiredScopes: readonly string[];
  /** Empty: everywhere. */
  readonly regions: readonly string[];
  /** Empty: the default of the mode. */
  readonly dataClasses: readonly DataClass[];
  readonly approval: "always" | null;
  readonly enabled: boolean;
}

/** Checks whether a model provider runs the capability itself. */
export function isHosted({ target }: Pick<CapabilityEntry, "target">): boolean {
  return "hosted" in target;
}
