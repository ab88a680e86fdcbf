import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { riskOf } from "@yagate/lib/tools/risk-of";
import {
  type Agent,
  type AgentPolicy,
  type CompleteToolDefinition,
  isBuiltinTool,
  isComposedTool,
  isHandlerTool,
  isRestTool,
  type JsonObject,
  jsonObjectSchema,
  type RestDefinition,
} from "@yagate/protocol";
import { type AgentCheck, type AgentFinding, toAgentCheck } from "@yagate/tool-definitions/agent-finding";
import { type AgentAccessOptions, checkAgentAccess } from "@yagate/tool-definitions/checks/check-agent-access";
import { checkPlainHttp } from "@yagate/tool-definitions/checks/check-plain-http";
import { checkSecretReferences } from "@yagate/tool-definitions/checks/check-secret-references";
import { type AgentReferences, demotePreexisting } from "@yagate/tool-definitions/checks/preexisting-problems";
import { modelDescription, modelDescriptionOfRest } from "@yagate/tool-definitions/model-description";
import { checkRestTool } from "@yagate/tool-definitions/rest/check-rest-tool";
import { restParameters } from "@yagate/tool-definitions/rest/rest-parameters";
import { restSideEffect } from "@yagate/tool-definitions/rest/rest-side-effect";
import { primitiveOf } from "../http/primitives/primitives.ts";
import type { HostedTool } from "../port.ts";
import { parseHostedTool, wantsHosting } from "../toolset/hosted-tool.ts";
import { type ResolveReferences, singleTools, withoutReferences } from "../toolset/resolve-references.ts";
import { toolName } from "../toolset/tool-entry.ts";
import { type ComposedToolCheckOptions, checkAgentComposedTools } from "./check-agent-composed-tools.ts";
import { checkAgentSecrets } from "./check-agent-secrets.ts";
import { checkBuiltinTool } from "./check-builtin-tool.ts";
import { checkDependencies } from "./check-dependencies.ts";
import { checkHandlerTool, type HandlerToolCheckOptions } from "./check-handler-tool.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkUndeclaredAfterUntrusted } from "./check-undeclared-after-untrusted.ts";

/** A tool as the model reads it. */
export interface CheckedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Checks a model and its tools against the rules of the provider, without sending a request. */
export interface ModelCheck {
  check(model: string, tools: readonly (CheckedTool | HostedTool)[]): readonly AgentFinding[];
}

export interface AgentCheckOptions extends HandlerToolCheckOptions, ComposedToolCheckOptions, AgentAccessOptions {
  readonly models: ModelCheck;
  /** Built-in tools by name. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly resolveReferences?: ResolveReferences;
  /** The version before the change; absent for a new agent. */
  readonly before?: AgentReferences | undefined;
}

/**
 * Checks an agent's model and tools when the agent is saved, and reports all findings. The agent has already been
 * validated against its schema, and contains no references to tool sources, whose tools can change at any time.
 */
export async function checkAgentTools(
  agent: Pick<Agent, "model" | "systemPrompt" | "tools" | "policy" | "integrations" | "credentials" | "webhookUrls">,
  options: AgentCheckOptions,
): Promise<AgentCheck> {
  const { model, tools: listed, policy } = agent;
  const tools = await (options.resolveReferences ?? withoutReferences)(singleTools(listed));
  const ofTools: (readonly AgentFinding[])[] = [];
  for (const [index, tool] of tools.entries()) {
    const path = `tools[${index}]`;
    // The check of a large schema takes a while, so other requests run between two checks.
    await yieldToEventLoop();
    ofTools.push(await checkTool(tool, path, policy, options));
  }
  const ofComposed = await checkAgentComposedTools(tools, policy, options);
  const found = [
    ...checkModel(model, tools, options),
    ...ofTools.flat(),
    ...ofComposed,
    ...checkDependencies(tools),
    ...(await checkAgentAccess(agent, tools, options)),
    ...checkAgentSecrets(agent, tools),
    ...checkSecretReferences(agent, tools),
    ...checkUndeclaredAfterUntrusted(tools, policy, options.builtins),
  ];
  const refused = new Set(found.filter(({ severity }) => severity === "error").map(({ path }) => path));
  const all = [...found, ...checkPlainHttp(agent, tools).filter(({ path }) => !refused.has(path))];
  const findings = options.before === undefined ? all : demotePreexisting(all, agent, options.before);
  return toAgentCheck(findings);
}

async function checkTool(
  tool: CompleteToolDefinition,
  path: string,
  policy: AgentPolicy,
  options: AgentCheckOptions,
): Promise<readonly AgentFinding[]> {
  if (isHandlerTool(tool)) return checkHandlerTool(tool, path, policy, options);
  if (isBuiltinTool(tool)) return checkBuiltinTool(tool, path, policy, options.builtins);
  if (isRestTool(tool)) return checkRestEntry(tool.rest, path, policy, options);
  // Composed tools are checked together, below.
  return [];
}

async function checkRestEntry(
  definition: RestDefinition,
  path: string,
  policy: AgentPolicy,
  { handlerUrlProblem, findSecret }: AgentCheckOptions,
): Promise<readonly AgentFinding[]> {
  const { name, risk: declared, approval } = definition;
  const findings = await checkRestTool(definition, `${path}.rest`, { urlProblem: handlerUrlProblem, findSecret });
  const risk = riskOf({ sideEffect: restSideEffect(definition) ?? undefined, risk: declared });
  return [...findings, ...checkPolicy(name, path, policy, { kind: "network", risk, approval })];
}

function checkModel(
  model: string,
  tools: readonly CompleteToolDefinition[],
  { models, builtins }: AgentCheckOptions,
): readonly AgentFinding[] {
  const known = tools.map((tool) => toCheckedTool(tool, builtins));
  const found = models.check(model, known);
  return found.map((finding) => ({ ...finding, path: placeOf(finding.path, tools) }));
}

function toCheckedTool(
  tool: CompleteToolDefinition,
  builtins: ReadonlyMap<string, BuiltinTool>,
): CheckedTool | HostedTool {
  if (isHandlerTool(tool) || isComposedTool(tool)) {
    return { name: tool.name, description: modelDescription(tool), parameters: tool.parameters };
  }
  if (isRestTool(tool)) {
    const { rest } = tool;
    return { name: rest.name, description: modelDescriptionOfRest(rest), parameters: restParameters(rest) };
  }
  const primitive = primitiveOf(tool.builtin);
  if (primitive !== undefined) return primitive;
  const hosted = wantsHosting(tool) ? parseHostedTool(tool, "") : undefined;
  if (hosted !== undefined && "tool" in hosted) return hosted.tool;
  const name = toolName(tool);
  const builtin = builtins.get(name);
  return {
    name,
    description: builtin?.description ?? "",
    parameters: jsonObjectSchema.parse(builtin?.parameters ?? { type: "object", properties: {} }),
  };
}

/**
 * Converts the path of a finding to a path in the agent. A built-in tool has its name in `builtin`, and no
 * `description` or `parameters`.
 */
function placeOf(path: string, tools: readonly CompleteToolDefinition[]): string {
  const [, index = "", field = ""] = /^tools\[(\d+)\]\.(name|description|parameters)\b/.exec(path) ?? [];
  const tool = field === "" ? undefined : tools[Number(index)];
  return tool === undefined || !isBuiltinTool(tool) ? path : `tools[${index}].builtin`;
}
