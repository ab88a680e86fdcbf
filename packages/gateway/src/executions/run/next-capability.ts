import { type ExecutionConfig, toolKey } from "@yagate/execution-machine/execution-config";
import type { ExecutionState } from "@yagate/execution-machine/state";
import { untrustedReads } from "@yagate/execution-machine/untrusted-reads";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { jsonObjectSchema } from "@yagate/protocol";
import type { Tool } from "../../tools/port.ts";
import type { RoutedExecution } from "./route-turns.ts";
import { applyTaint } from "./taint-policy.ts";

/**
 * Creates the function that finds the next capability for a call whose own has failed: the best candidate of the
 * decision that has not served the call, runs in the gateway, accepts the arguments, needs no approval and has not
 * reached its limit of calls per turn.
 *
 * @returns undefined if the agent has no intents.
 */
export function createNextCapability({
  toolset: { routed },
  workspaceId,
  isCircuitOpen,
}: Pick<RoutedExecution, "toolset" | "workspaceId" | "isCircuitOpen">): ExecutionConfig["nextCapability"] {
  if (routed === undefined) return undefined;

  function accepts(tool: Tool, parameters: unknown): boolean {
    if (tool.handler !== undefined && isCircuitOpen(workspaceId, tool.handler.handler)) return false;
    return isJsonObject(parameters) && tool.problemOf?.(jsonObjectSchema.parse(parameters)) === undefined;
  }

  return (state, call) => {
    // The arguments name a secret that only the first target may receive.
    if (call.leakedSecrets.length > 0) return undefined;
    const route = state.route?.intents.find(({ tool }) => tool === call.name);
    const tried = new Set([...(call.triedCapabilities ?? []), call.capability?.key]);
    for (const { key, version } of route?.candidates ?? []) {
      const tool = tried.has(key)
        ? undefined
        : routed.tools.get(toolKey({ name: call.name, capability: { key, version } }));
      if (tool === undefined || !accepts(tool, call.parameters)) continue;
      if (callsWith(key, state) >= (tool.options.maxCallsPerTurn ?? Infinity)) continue;
      const readRisk = tool.readRiskOf?.(call.parameters);
      const policyDecision = applyTaint(readRisk === undefined ? untrustedReads(state) : [], tool);
      // No person has seen the request to this target.
      if (policyDecision.decision !== "allowed") continue;
      const { kind, sideEffect, options, isUntrusted } = tool;
      return {
        ...{ to: { key, version }, kind, sideEffect, risk: readRisk ?? tool.risk, policyDecision },
        ...defined({ projection: options.projection, isUntrusted }),
      };
    }
    return undefined;
  };
}

/** Returns how many calls of the current model turn a capability serves or has served. */
function callsWith(key: string, { turns }: ExecutionState): number {
  const calls = turns.at(-1)?.calls ?? [];
  return calls.filter(({ capability, triedCapabilities }) =>
    [capability?.key, ...(triedCapabilities ?? [])].includes(key),
  ).length;
}
