import { DEFAULT_PLAN, DEFAULT_PLANS, type Plan } from "@yagate/protocol";

/** The operator's configuration of a plan. Absent values keep the gateway's defaults. */
export type PlanChange = { readonly [Figure in keyof Plan]?: Plan[Figure] | undefined };

export interface PlanCatalog {
  readonly names: readonly string[];
  /** Returns the plan with this name, or the plan `standard` if the name is unknown. */
  find(name: string): { readonly name: string; readonly figures: Plan };
}

/**
 * Creates a catalog of the default plans with the operator's changes.
 *
 * @param changes - by plan name: the changed values of a default plan, or the values of a new plan.
 */
export function createPlanCatalog(changes: Readonly<Record<string, PlanChange>> = {}): PlanCatalog {
  const plans = new Map<string, Plan>(Object.entries(DEFAULT_PLANS));
  const standard = complete(DEFAULT_PLANS[DEFAULT_PLAN], changes[DEFAULT_PLAN] ?? {});
  plans.set(DEFAULT_PLAN, standard);
  for (const [name, change] of Object.entries(changes)) plans.set(name, complete(plans.get(name) ?? standard, change));
  return {
    names: [...plans.keys()],
    find(name) {
      const figures = plans.get(name);
      return figures === undefined ? { name: DEFAULT_PLAN, figures: standard } : { name, figures };
    },
  };
}

/** Overwrites the values that are set in `change`. A null value means unlimited, so it counts as set. */
function complete(plan: Plan, change: PlanChange): Plan {
  const given = Object.fromEntries(Object.entries(change).filter(([, figure]) => figure !== undefined));
  return { ...plan, ...given };
}
