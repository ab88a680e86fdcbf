import { newId } from "@yagate/lib/ids/ids";
import { DEFAULT_LIMITS } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { createCapabilities, createMisfits } from "../capabilities/capability-registry.ts";
import { createCheckCapability, type DescribeTarget } from "../capabilities/check-capability.ts";
import { createIntents } from "../capabilities/intents.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedRouting = ReturnType<typeof composeRouting>;

/** Creates the services behind the routes of intents and capabilities. */
export function composeRouting(
  { now }: Pick<GatewayContext, "now">,
  parts: {
    readonly store: Pick<Store, "intents" | "capabilities">;
    readonly tools: Pick<ComposedTools, "createToolset" | "routingTables" | "resolveTarget">;
  },
) {
  const { store, tools } = parts;
  const { createToolset, routingTables: tables, resolveTarget } = tools;
  /** Makes the tool ready in an agent without anything else. */
  const describeTarget: DescribeTarget = async (target) => {
    const at = new Date(now()).toISOString();
    const listed = "definition" in target ? [target.definition] : [];
    const toolset = await createToolset(
      {
        ...{ id: newId("agent"), version: 1, name: "", model: "scripted/turns", systemPrompt: "", tools: listed },
        ...{ limits: DEFAULT_LIMITS, policy: { network: true, approval: "never" }, createdAt: at, updatedAt: at },
        ...{ integrations: [], credentials: [], webhookUrls: [] },
      },
      "sourced" in target ? [target.sourced] : [],
    );
    const [tool] = toolset.tools.values();
    if (tool === undefined) throw new Error("expected a tool that was found before");
    return { name: tool.name, parameters: (tool.accepted ?? tool).parameters };
  };
  const check = createCheckCapability(resolveTarget, describeTarget);
  return {
    capabilities: createCapabilities({ store: store.capabilities, tables, check, now }),
    intents: createIntents({
      ...{ store: store.intents, tables, misfits: createMisfits(tables, check), now },
      newIntentId: () => newId("intent"),
    }),
  };
}
