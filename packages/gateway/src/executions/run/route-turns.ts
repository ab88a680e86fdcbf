import { detectLanguage } from "@yagate/builtins/language/detect-language";
import { type ExecutionConfig, type MachineEnvironment, toolKey } from "@yagate/execution-machine/execution-config";
import type { ExecutionState } from "@yagate/execution-machine/state";
import { untrustedReads } from "@yagate/execution-machine/untrusted-reads";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { parseModelName } from "@yagate/models/model-name";
import {
  type Agent,
  type ExecutionInput,
  type ExecutionRequest,
  jsonObjectSchema,
  type RouteDecision,
} from "@yagate/protocol";
import { boundedDecision } from "@yagate/routing/bounded-decision";
import { chooseIntents } from "@yagate/routing/choose-intents";
import { decideRoute, unservedIntents } from "@yagate/routing/decide-route";
import { createRuleMatcher, type RuleMatcher } from "@yagate/routing/rule-matcher";
import type { RoutedCapability, Tool, Toolset } from "../../tools/port.ts";
import { applyTaint } from "./taint-policy.ts";

/** Returns whether the circuit of an endpoint is open on this replica, or the endpoint is disabled. */
export type IsCircuitOpen = (workspaceId: string, url: string) => boolean;

/** What decides about the routes of an execution. */
export interface RoutedExecution {
  readonly agent: Pick<Agent, "model" | "routing">;
  readonly toolset: Toolset;
  readonly workspaceId: string;
  readonly request: Pick<ExecutionRequest, "input" | "metadata" | "routing" | "toolChoice">;
  readonly isCircuitOpen: IsCircuitOpen;
}

/** A decision with everything that it considered. */
export interface CompleteRoute {
  readonly decision: RouteDecision;
  readonly unserved: readonly string[];
}

/** Creates the function that decides about each model turn; undefined if the agent has neither intents nor rules. */
export function createTurnRoutes(execution: RoutedExecution): MachineEnvironment["decideRoute"] {
  if (execution.toolset.routed === undefined) return undefined;
  const decide = createRouteDecisions(execution);
  return ({ failedCapabilities }, turn) => {
    const { decision, unserved } = decide(turn, failedCapabilities);
    return { decision: boundedDecision(decision), unserved };
  };
}

/** Creates the same function, whose decisions are complete. */
export function createRouteDecisions({ agent, toolset, workspaceId, request, isCircuitOpen }: RoutedExecution) {
  const listed = toolset.routed?.intents ?? [];
  const { routing = {}, toolChoice: callersChoice, input, metadata = {} } = request;
  const { provider = "", model = agent.model } = parseModelName(agent.model) ?? {};
  const applied = matcherOf(agent)({
    ...{ text: lastWords(input), metadata },
    language: () => detectLanguage(lastWords(input)),
  });
  const choice = chooseIntents({ listed, applied, routing, callersChoice });
  const names = new Set(listed.map(({ tool }) => tool));
  const otherTools = [...toolset.tools.keys(), ...toolset.hostedTools.map(({ name }) => name)].filter(
    (name) => !names.has(name),
  );
  const isOpen = ({ tool }: RoutedCapability) =>
    tool?.handler !== undefined && isCircuitOpen(workspaceId, tool.handler.handler);
  return (turn: number, failedCapabilities: readonly string[]): CompleteRoute => {
    const intents = listed.map(({ capabilities, ...intent }) => ({
      ...intent,
      capabilities: capabilities.map((capability) => ({
        ...capability,
        isCircuitOpen: isOpen(capability),
        hasFailed: failedCapabilities.includes(capability.entry.key),
      })),
    }));
    const isCallersChoice = callersChoice !== undefined;
    const question = { turn, model: { provider, model }, routing, choice, isCallersChoice, intents, otherTools };
    const decision = decideRoute(question);
    return { decision, unserved: unservedIntents(decision) };
  };
}

const matchersOfAgent = new WeakMap<object, RuleMatcher>();

function matcherOf(agent: Pick<Agent, "routing">): RuleMatcher {
  const known = matchersOfAgent.get(agent);
  if (known !== undefined) return known;
  const matcher = createRuleMatcher(agent.routing?.rules ?? []);
  matchersOfAgent.set(agent, matcher);
  return matcher;
}

/** Rules read the latest words of the user. */
function lastWords(input: ExecutionInput): string {
  return typeof input === "string" ? input : (input.at(-1)?.content ?? "");
}

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
