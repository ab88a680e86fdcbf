import { DEFAULT_PLAN, DEFAULT_PLANS, type Plan } from "@yagate/protocol";

/** A plan as the operator configures it; absent figures keep the defaults of the gateway. */
export type PlanChange = { readonly [Figure in keyof Plan]?: Plan[Figure] | undefined };

/** The plans of a gateway. */
export interface PlanCatalog {
  readonly names: readonly string[];
  /** The plan `standard` for an unknown name. */
  find(name: string): { readonly name: string; readonly figures: Plan };
}

/** @param changes - by name: changed figures of a default plan, or a new plan. */
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

/** A null figure means unlimited and is kept. */
function complete(plan: Plan, change: PlanChange): Plan {
  const given = Object.fromEntries(Object.entries(change).filter(([, figure]) => figure !== undefined));
  return { ...plan, ...given };
}
