import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { misconfiguredTool } from "@yagate/builtins/misconfigured-tool";
import { defined } from "@yagate/lib/objects/defined";
import { riskOf } from "@yagate/lib/tools/risk-of";
import {
  type AgentPolicy,
  type BuiltinToolDefinition,
  type CompleteToolDefinition,
  DEFAULT_TOOL_TIMEOUT_MS,
  type HandlerToolDefinition,
  isBuiltinTool,
  isHandlerTool,
  isRestTool,
  jsonObjectSchema,
  type RestDefinition,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import { modelDescription, modelDescriptionOfRest } from "@yagate/tool-definitions/model-description";
import { compileRestTool } from "@yagate/tool-definitions/rest/compile-rest-tool";
import { restParameters } from "@yagate/tool-definitions/rest/rest-parameters";
import { restSideEffect } from "@yagate/tool-definitions/rest/rest-side-effect";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import { toComposedTool } from "../composed/composed-tool.ts";
import { createBuiltinExecutor } from "../executors/builtin-executor.ts";
import { addedHeaders, secretsInHeaders } from "../executors/static-headers.ts";
import { toRequestTool } from "../http/network-executor.ts";
import type { NetworkTool } from "../http/network-tool.ts";
import { toPrimitiveTool } from "../http/primitives/primitive-tool.ts";
import { primitiveOf } from "../http/primitives/primitives.ts";
import type { Tool } from "../port.ts";
import { artifactReading } from "./artifact-reading.ts";
import { requiredServices, type ToolDependencies, type ToolOwner } from "./tool-owner.ts";

/**
 * Converts a tool definition of an agent to a tool that is ready to run.
 * @throws YagateError `INTERNAL` for an unknown built-in tool.
 */
export async function toExecutableTool(
  definition: CompleteToolDefinition,
  owner: ToolOwner,
  dependencies: ToolDependencies,
): Promise<Tool> {
  const { policy, agent, guidance } = owner;
  if (isHandlerTool(definition)) return toHandlerTool(definition, policy, dependencies);
  const services = () => requiredServices(dependencies);
  if (isBuiltinTool(definition)) {
    const primitive = primitiveOf(definition.builtin);
    if (primitive === undefined) return toBuiltinTool(definition, policy, dependencies);
    return toPrimitiveTool(primitive, definition, { policy, agent, guidance, services: services() });
  }
  if (isRestTool(definition)) return toRestTool(definition.rest, { policy, agent, services: services() });
  const compiled = owner.composed.get(definition.name);
  if (compiled === undefined) throw new YagateError("INTERNAL", "expected a composed tool of this agent");
  return toComposedTool(definition, compiled, { policy, agent, services }, dependencies);
}

async function toHandlerTool(
  definition: HandlerToolDefinition,
  policy: AgentPolicy,
  dependencies: ToolDependencies,
): Promise<Tool> {
  const { name, parameters, sideEffect = null, approval, trusted: isTrusted = true } = definition;
  const risk = riskOf(definition);
  const credential = secretsInHeaders(definition).join(", ");
  const headers = addedHeaders(definition, () => requiredServices(dependencies).secrets);
  return {
    name,
    description: modelDescription(definition),
    parameters,
    schemaHash: await schemaHash(parameters),
    kind: "handler",
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind: "handler", risk, approval }),
    asksAfterUntrusted: asksAfterUntrusted(policy, { risk, approval }),
    isUntrusted: !isTrusted,
    options: definition,
    targetOf: () => ({ method: "POST", url: definition.handler, ...(credential === "" ? {} : { credential }) }),
    timeoutMs: definition.timeout ?? DEFAULT_TOOL_TIMEOUT_MS,
    handler: definition,
    executor: dependencies.dispatcher.executorOf({ tool: definition, ...defined({ addedHeaders: headers }) }),
  };
}

async function toBuiltinTool(
  definition: BuiltinToolDefinition,
  policy: AgentPolicy,
  { builtins, ...options }: ToolDependencies,
): Promise<Tool> {
  const tool = configuredBuiltin(definition, builtins);
  const { name, description, kind, sideEffect } = tool;
  const parameters = jsonObjectSchema.parse(tool.parameters);
  const risk = riskOf(tool);
  return {
    name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    kind,
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind, risk, isOnByListing: true }),
    isUntrusted: kind === "network" && tool.isTrusted !== true,
    maxArgumentCharacters: tool.maxArgumentCharacters,
    options: {},
    timeoutMs: tool.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
    executor: createBuiltinExecutor(tool, options),
    ...artifactReading(policy, tool),
    ...(tool.asksModel === true ? { asksModel: true } : {}),
  };
}

function configuredBuiltin(
  { builtin, config = {} }: BuiltinToolDefinition,
  builtins: ToolDependencies["builtins"],
): BuiltinTool {
  const tool = builtins.get(resolveBuiltinName(builtin) ?? builtin);
  if (tool === undefined) throw new YagateError("INTERNAL", `expected a built-in tool named ${builtin}`);
  const configured = tool.configure?.(config);
  if (configured === undefined) return tool;
  // The configuration was checked when the agent was saved. If its provider was removed in the meantime, each call
  // fails.
  return "tool" in configured ? configured.tool : misconfiguredTool(tool, configured.problems);
}

/**
 * Returns the request of a REST tool.
 * @param definition - a definition in which `checkRestTool` found no error.
 */
function restRequest(definition: RestDefinition): NetworkTool {
  const { name, credential } = definition;
  return {
    name,
    template: compileRestTool(definition),
    credentialOf: () => credential,
    needsCredential: false,
    isPrimitive: false,
    destination: "author",
    version: definition,
  };
}

/** Converts a REST tool of an agent to a tool that is ready to run. */
function toRestTool(definition: RestDefinition, owner: Parameters<typeof toRequestTool>[2]): Promise<Tool> {
  const { risk, approval, trusted: isTrusted } = definition;
  return toRequestTool(
    restRequest(definition),
    {
      description: modelDescriptionOfRest(definition),
      parameters: restParameters(definition),
      sideEffect: restSideEffect(definition),
      risk,
      approval,
      isTrusted,
      options: definition,
    },
    owner,
  );
}
