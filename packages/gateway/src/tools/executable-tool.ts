import {
  type Agent,
  type AgentPolicy,
  type BuiltinToolDefinition,
  type CompleteToolDefinition,
  DEFAULT_TOOL_TIMEOUT_MS,
  type HandlerToolDefinition,
  isBuiltinTool,
  isHandlerTool,
  jsonObjectSchema,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import type { Dispatcher } from "../dispatch/port.ts";
import { authorise } from "../policy/authorise.ts";
import { riskOf } from "../policy/risk.ts";
import type { BuiltinTool } from "./builtin/builtin-tool.ts";
import { resolveBuiltinName } from "./builtin/builtin-tools.ts";
import { type BuiltinExecutorOptions, createBuiltinExecutor } from "./executors/builtin-executor.ts";
import { createHandlerExecutor } from "./executors/handler-executor.ts";
import type { NetworkAgent } from "./http/network-tool.ts";
import { preambleOf } from "./http/primitives/preamble.ts";
import type { Primitive } from "./http/primitives/primitive.ts";
import { toPrimitiveTool } from "./http/primitives/primitive-tool.ts";
import { primitiveOf } from "./http/primitives/primitives.ts";
import { secretNamesOf } from "./http/secret-names.ts";
import type { NetworkServices } from "./http/services.ts";
import { modelDescription } from "./model-description.ts";
import type { Tool } from "./port.ts";

/** What tools of any kind need to run. */
export interface ToolDependencies extends BuiltinExecutorOptions {
  readonly dispatcher: Dispatcher;
  /** By their own names. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  /** What requests to other services need; without it no tool that makes them can run. */
  readonly network?: NetworkServices;
}

/** What of an agent its tools share. */
export interface ToolOwner {
  readonly policy: AgentPolicy;
  readonly network: NetworkAgent;
  readonly guidance: NonNullable<Tool["guidance"]>;
}

/**
 * Reads what the tools of an agent share.
 *
 * @param tools - all of them, references replaced.
 */
export function toolOwner(
  { policy, integrations, credentials, webhookUrls }: Agent,
  tools: readonly CompleteToolDefinition[],
  { network: services }: Pick<ToolDependencies, "network">,
): ToolOwner {
  const network = { integrations, credentials, webhookUrls, secretNames: secretNamesOf(credentials, tools) };
  const primitives = tools.flatMap((tool): readonly Primitive[] => {
    const primitive = isBuiltinTool(tool) ? primitiveOf(tool.builtin) : undefined;
    return primitive === undefined ? [] : [primitive];
  });
  return {
    policy,
    network,
    guidance: (workspaceId) => preambleOf(primitives, network, workspaceId, required(services)),
  };
}

/** Makes an entry of an agent's tools ready to run. @throws YagateError `INTERNAL` for a built-in that is not there. */
export async function toExecutableTool(
  definition: CompleteToolDefinition,
  owner: ToolOwner,
  dependencies: ToolDependencies,
): Promise<Tool> {
  const { policy, network: agent, guidance } = owner;
  if (isHandlerTool(definition)) return toHandlerTool(definition, policy, dependencies);
  if (isBuiltinTool(definition)) {
    const primitive = primitiveOf(definition.builtin);
    if (primitive === undefined) return toBuiltinTool(definition, policy, dependencies);
    const services = required(dependencies.network);
    return toPrimitiveTool(primitive, definition, { policy }, { agent, services, guidance });
  }
  throw new YagateError("INTERNAL", "expected a kind of tool that was let through when the agent was saved");
}

function required(services: NetworkServices | undefined): NetworkServices {
  if (services === undefined) throw new YagateError("INTERNAL", "expected the way out for requests of tools");
  return services;
}

async function toHandlerTool(
  definition: HandlerToolDefinition,
  policy: AgentPolicy,
  { dispatcher }: ToolDependencies,
): Promise<Tool> {
  const { name, parameters, sideEffect = null, approval } = definition;
  const risk = riskOf(definition);
  return {
    name,
    description: modelDescription(definition),
    parameters,
    schemaHash: await schemaHash(parameters),
    kind: "handler",
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind: "handler", risk, approval }),
    options: definition,
    targetOf: () => ({ method: "POST", url: definition.handler }),
    timeoutMs: definition.timeout ?? DEFAULT_TOOL_TIMEOUT_MS,
    handler: definition,
    executor: createHandlerExecutor(dispatcher, definition),
  };
}

async function toBuiltinTool(
  definition: BuiltinToolDefinition,
  policy: AgentPolicy,
  { builtins, ...options }: ToolDependencies,
): Promise<Tool> {
  const tool = builtins.get(resolveBuiltinName(definition.builtin) ?? definition.builtin);
  if (tool === undefined) throw new YagateError("INTERNAL", `expected a built-in tool named ${definition.builtin}`);
  const { name, description, kind, sideEffect } = tool;
  const parameters = jsonObjectSchema.parse(tool.parameters);
  const risk = riskOf({ sideEffect });
  return {
    name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    kind,
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind, risk }),
    options: {},
    timeoutMs: DEFAULT_TOOL_TIMEOUT_MS,
    executor: createBuiltinExecutor(tool, options),
  };
}
