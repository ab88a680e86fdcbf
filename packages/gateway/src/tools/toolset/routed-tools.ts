import { toolKey } from "@yagate/execution-machine/execution-config";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { riskOf } from "@yagate/lib/tools/risk-of";
import { strictestRisk } from "@yagate/lib/tools/strictest";
import { type Agent, isBuiltinTool, isIntentReference, type JsonObject, schemaHash } from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import { gatewayCapability } from "@yagate/routing/merge-capabilities";
import { authorise } from "../../policy/authorise.ts";
import type {
  HostedTool,
  ResolvedIntent,
  ResolvedTarget,
  RoutedCapability,
  RoutedIntent,
  RoutedTools,
  Tool,
} from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { parseHostedConfig, wantsHosting } from "./hosted-tool.ts";
import { toolNameOfIntent } from "./intent-entries.ts";
import { toIntentTool } from "./intent-tool.ts";
import { type SourceOfTools, toSourcedTool } from "./sourced-tool.ts";
import { type ToolDependencies, toolOwner } from "./tool-owner.ts";

/** What the tools of intents need. */
export interface IntentToolOptions extends ToolDependencies {
  /** Without it, there can be no tools of sources. */
  readonly sources?: SourceOfTools;
  /**
   * Returns whether the provider of a model runs a tool itself, and beside tools that it does not run if there are any;
   * default: it does.
   */
  readonly canHost?: (model: string, tool: HostedTool, hasOtherTools: boolean) => boolean;
}

/** The tools of an agent's intents. */
export interface PreparedIntents extends RoutedTools {
  /** One tool for each intent that a tool serves. It stands for that of the chosen capability. */
  readonly standIns: readonly Tool[];
  /** Names of the secrets that the tools may send. */
  readonly secretNames: readonly string[];
}

/** Makes everything that can serve an agent's intents ready to run. */
export async function prepareIntents(
  agent: Agent,
  resolved: readonly ResolvedIntent[],
  options: IntentToolOptions,
): Promise<PreparedIntents> {
  const prepared = await Promise.all(
    resolved.map((intent) => {
      const hasOtherTools =
        agent.tools.some(isOwnTool) || resolved.some((other) => other !== intent && needsTool(other));
      return prepareIntent(agent, intent, { ...options, hasOtherTools });
    }),
  );
  const ready = prepared.flatMap(({ intent: { capabilities } }) => capabilities.flatMap(({ tool }) => tool ?? []));
  return {
    intents: prepared.map(({ intent }) => intent),
    tools: new Map(ready.map((tool) => [toolKey(tool), tool])),
    argumentValidator: options.argumentValidator,
    standIns: prepared.flatMap(({ intent: { capabilities } }) => capabilities.find(({ tool }) => tool)?.tool ?? []),
    secretNames: [...new Set(prepared.flatMap(({ secretNames }) => secretNames))],
  };
}

/** Returns whether the model calls a tool that the agent lists, and not its provider. */
function isOwnTool(tool: Agent["tools"][number]): boolean {
  return !isIntentReference(tool) && !(isBuiltinTool(tool) && wantsHosting(tool));
}

/** Returns whether only tools that no provider runs can serve an intent. */
function needsTool({ capabilities }: ResolvedIntent): boolean {
  return capabilities.length > 0 && capabilities.every(({ target }) => !("hosted" in target));
}

async function prepareIntent(
  agent: Agent,
  { reference, definition, capabilities: resolved }: ResolvedIntent,
  options: IntentToolOptions & { readonly hasOtherTools: boolean },
): Promise<{ readonly intent: RoutedIntent; readonly secretNames: readonly string[] }> {
  const name = reference.intent;
  const tool = toolNameOfIntent(name);
  const intent = { name, tool, isRequired: reference.required === true };
  if (definition === undefined) return { intent: { ...intent, capabilities: [] }, secretNames: [] };
  const hash = await schemaHash(definition.parameters);
  const secretNames: string[] = [];
  const capabilities = await Promise.all(
    resolved.map(async ({ entry, version, target }): Promise<RoutedCapability> => {
      const facts = { entry, version, isAvailable: true, isConfigured: true, isAllowed: true };
      if ("problem" in target) return { ...facts, isAvailable: false };
      if ("hosted" in target)
        return hostedCapability(facts, { tool, agent, config: reference.config, ...target }, options);
      const found = await targetTool(agent, entry, { target, config: reference.config }, options);
      secretNames.push(...found.secretNames);
      const parts = { name: tool, intent: definition, schemaHash: hash, entry, version, policy: agent.policy };
      const ready = toIntentTool(found.tool, { ...parts, argumentValidator: options.argumentValidator });
      const isAllowed = ready.policyDecision.decision !== "denied";
      return { ...facts, isAllowed, isConfigured: found.isConfigured, tool: ready };
    }),
  );
  // A call may move to another capability, so its result counts as untrusted if that of any of them does.
  const isUntrusted = capabilities.some(({ tool: one }) => one?.isUntrusted === true || one?.kind === "network");
  return {
    intent: {
      ...intent,
      capabilities: capabilities.map((one) =>
        one.tool === undefined ? one : { ...one, tool: { ...one.tool, ...(isUntrusted ? { isUntrusted } : {}) } },
      ),
    },
    secretNames,
  };
}

function hostedCapability(
  facts: Omit<RoutedCapability, "tool" | "hosted">,
  {
    tool,
    agent,
    config,
    hosted: target,
  }: { tool: string; agent: Agent; config: JsonObject | undefined; hosted: HostedTool["hosted"] },
  {
    builtins,
    canHost = () => true,
    hasOtherTools,
  }: IntentToolOptions & {
    readonly hasOtherTools: boolean;
  },
): RoutedCapability {
  const settings = { ...hostedConfig(config), providerHosted: true };
  const parsed = parseHostedConfig({ hosted: target, name: tool }, settings, "");
  if (!("tool" in parsed)) return { ...facts, isAvailable: false };
  const hosted = parsed.tool;
  // Only the sandbox for code has no built-in counterpart. It can't reach the network.
  const { kind, ...declared } = builtins.get(target) ?? { kind: "compute" as const };
  const risk = strictestRisk([riskOf(declared) ?? undefined, facts.entry.riskClass ?? undefined]) ?? null;
  const { decision } = authorise(agent.policy, { kind, risk, isOnByListing: true });
  // The gateway cannot ask for an approval of calls that the provider runs.
  const isAllowed = decision === "allowed" && facts.entry.approval === null;
  return { ...facts, isAllowed, isAvailable: canHost(agent.model, hosted, hasOtherTools), hosted };
}

const HOSTED_SETTINGS = ["maxUses", "allowedDomains", "blockedDomains"];

/** Returns the settings that a provider's own search knows. */
function hostedConfig(config: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([name]) => HOSTED_SETTINGS.includes(name)));
}

async function targetTool(
  agent: Agent,
  entry: CapabilityEntry,
  {
    target,
    config,
  }: { target: Exclude<ResolvedTarget, { hosted: unknown } | { problem: unknown }>; config: JsonObject | undefined },
  options: IntentToolOptions,
): Promise<{ readonly tool: Tool; readonly isConfigured: boolean; readonly secretNames: readonly string[] }> {
  if ("sourced" in target) {
    const owner = toolOwner(agent, [], options, [target.sourced]);
    const { sources } = options;
    if (sources === undefined) throw new Error("expected tool sources for a capability of a tool source");
    const tool = await toSourcedTool(target.sourced, owner, { ...options, sources });
    return { tool, isConfigured: true, secretNames: owner.agent.secretNames };
  }
  const { definition: saved } = target;
  if (!isBuiltinTool(saved)) {
    const owner = toolOwner(agent, [saved], options);
    const tool = await toExecutableTool(saved, owner, options);
    return { tool, isConfigured: true, secretNames: owner.agent.secretNames };
  }
  // The settings of the agent are meant for the gateway's own tools.
  const own = gatewayCapability(entry.key) === undefined ? {} : withoutHosted(config);
  const definition = { ...saved, config: { ...(isJsonObject(saved.config) ? saved.config : {}), ...own } };
  const tool = await toExecutableTool(definition, toolOwner(agent, [definition], options), options);
  return { tool, isConfigured: options.builtins.get(definition.builtin)?.isConfigured ?? false, secretNames: [] };
}

function withoutHosted({ maxUses: _maxUses, ...config }: JsonObject = {}): JsonObject {
  return config;
}
