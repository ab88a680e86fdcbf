import {
  type AgentPolicy,
  type ComposedToolDefinition,
  DEFAULT_TOOL_TIMEOUT_MS,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import { authorise } from "../../policy/authorise.ts";
import { riskOf } from "../../policy/risk.ts";
import type { BuiltinExecutorOptions } from "../executors/builtin-executor.ts";
import { modelDescription } from "../model-description.ts";
import type { Tool } from "../port.ts";
import { type CompileOptions, compileComposedTool } from "./compile-composed-tool.ts";
import { createComputeExecutor } from "./compute-executor.ts";

export interface ComposedToolDependencies extends BuiltinExecutorOptions, CompileOptions {
  /** The composed tools of the same agent. */
  readonly composedTools: readonly ComposedToolDefinition[];
}

/** Makes a composed tool ready to run. @throws YagateError `INTERNAL` for one that should not have been saved. */
export async function toComposedTool(
  definition: ComposedToolDefinition,
  policy: AgentPolicy,
  { composedTools, ...dependencies }: ComposedToolDependencies,
): Promise<Tool> {
  const compiled = compileComposedTool(definition, composedTools, dependencies);
  if (compiled.kind === "network") throw new YagateError("INTERNAL", "expected a tool that stays inside the gateway");
  const { name, parameters, approval } = definition;
  const sideEffect = definition.sideEffect ?? compiled.builtin.sideEffect;
  const risk = riskOf({ ...definition, sideEffect });
  return {
    name,
    description: modelDescription(definition),
    parameters,
    schemaHash: await schemaHash(parameters),
    kind: compiled.kind,
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind: compiled.kind, risk, approval }),
    options: definition,
    timeoutMs: definition.timeout ?? DEFAULT_TOOL_TIMEOUT_MS,
    executor: createComputeExecutor(definition, compiled, dependencies),
  };
}
