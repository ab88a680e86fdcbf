import {
  type AgentPolicy,
  type BuiltinToolDefinition,
  type CompleteToolDefinition,
  DEFAULT_TOOL_TIMEOUT_MS,
  type HandlerToolDefinition,
  isBuiltinTool,
  isComposedTool,
  isHandlerTool,
  jsonObjectSchema,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import type { Dispatcher } from "../dispatch/port.ts";
import { authorise } from "../policy/authorise.ts";
import { riskOf } from "../policy/risk.ts";
import type { ArgumentValidator } from "./arguments/argument-validator.ts";
import type { BuiltinTool } from "./builtin/builtin-tool.ts";
import { resolveBuiltinName } from "./builtin/builtin-tools.ts";
import { type ComposedToolDependencies, toComposedTool } from "./composed/composed-tool.ts";
import { type BuiltinExecutorOptions, createBuiltinExecutor } from "./executors/builtin-executor.ts";
import { createHandlerExecutor } from "./executors/handler-executor.ts";
import { modelDescription } from "./model-description.ts";
import type { Tool } from "./port.ts";
import { isPrimitiveName } from "./primitive-name.ts";

/** What tools of any kind need to run. */
export interface ToolDependencies extends BuiltinExecutorOptions {
  readonly dispatcher: Dispatcher;
  /** By their own names. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly argumentValidator: ArgumentValidator;
}

/** The same, and the tools beside it. */
export interface ToolsetDependencies extends ToolDependencies, ComposedToolDependencies {}

/** Makes an entry of an agent's tools ready to run. @throws YagateError `INTERNAL` for a built-in that is not there. */
export async function toExecutableTool(
  definition: CompleteToolDefinition,
  policy: AgentPolicy,
  dependencies: ToolsetDependencies,
): Promise<Tool> {
  if (isHandlerTool(definition)) return toHandlerTool(definition, policy, dependencies);
  if (isBuiltinTool(definition)) return toBuiltinTool(definition, policy, dependencies);
  if (isComposedTool(definition)) return toComposedTool(definition, policy, dependencies);
  throw new YagateError("INTERNAL", "expected a kind of tool that was let through when the agent was saved");
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
    policyDecision: authorise(policy, { kind, risk, isOnByListing: !isPrimitiveName(name) }),
    options: {},
    timeoutMs: DEFAULT_TOOL_TIMEOUT_MS,
    executor: createBuiltinExecutor(tool, options),
  };
}
