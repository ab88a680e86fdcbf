import { defined } from "@yagate/lib/objects/defined";
import { type Agent, type CreateAgent, DEFAULT_LIMITS, toolKindSchema } from "@yagate/protocol";

/**
 * Adds the defaults of all omitted fields to the definition of an agent, because an update keeps the saved values of
 * fields that it omits.
 *
 * @param current - the agent before the update.
 */
export function withAgentDefaults<Definition extends Omit<CreateAgent, "tools">>(
  definition: Definition,
  current: Agent | undefined,
) {
  const { toolKinds, untrusted } = current?.policy ?? {};
  return {
    ...{ description: "", exposed: false, integrations: [], credentials: [], webhookUrls: [] },
    ...definition,
    limits: { ...DEFAULT_LIMITS, ...definition.limits },
    policy: {
      ...{ network: false, approval: "destructive" as const },
      // An agent that has never had these two is as it would be with their defaults.
      ...defined({
        toolKinds: toolKinds && [...toolKindSchema.options],
        untrusted: untrusted && ("approve_writes" as const),
      }),
      ...definition.policy,
    },
  };
}
