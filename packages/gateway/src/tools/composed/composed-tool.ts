import {
  type ComposedToolDefinition,
  DEFAULT_TOOL_TIMEOUT_MS,
  type JsonObject,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import { gatewayFailure } from "../../dispatch/failure.ts";
import { authorise } from "../../policy/authorise.ts";
import { riskOf } from "../../policy/risk.ts";
import { type BuiltinExecutorOptions, createBuiltinExecutor } from "../executors/builtin-executor.ts";
import { toRequestTool } from "../http/executable-request.ts";
import type { NetworkTool } from "../http/network-tool.ts";
import { modelDescription } from "../model-description.ts";
import type { Tool, ToolExecutor } from "../port.ts";
import type { CompiledComposedTool } from "./compile-composed-tool.ts";
import { composedSideEffect } from "./composed-side-effect.ts";

type RequestOwner = Parameters<typeof toRequestTool>[2];
type Computing = Extract<CompiledComposedTool, { kind: "compute" }>;

/** The request of a composed tool that makes one. */
export function composedRequest(
  definition: ComposedToolDefinition,
  { primitive, template }: Extract<CompiledComposedTool, { kind: "network" }>,
): NetworkTool {
  return {
    name: definition.name,
    template,
    credentialOf: () => undefined,
    needsCredential: false,
    isPrimitive: false,
    destination: primitive === "webhook" ? "webhooks" : "author",
    version: definition,
  };
}

/** Makes a composed tool of an agent ready to run. */
export async function toComposedTool(
  definition: ComposedToolDefinition,
  compiled: CompiledComposedTool,
  owner: Omit<RequestOwner, "services"> & { readonly services: () => RequestOwner["services"] },
  options: BuiltinExecutorOptions,
): Promise<Tool> {
  const { name, parameters, approval } = definition;
  const description = modelDescription(definition);
  const sideEffect = composedSideEffect(definition, compiled);
  const risk = riskOf({ sideEffect: sideEffect ?? undefined, risk: definition.risk });
  if (compiled.kind === "network") {
    const described = { description, parameters, sideEffect, risk: definition.risk, approval, options: definition };
    const { policy, agent, services } = owner;
    return toRequestTool(composedRequest(definition, compiled), described, { policy, agent, services: services() });
  }
  const { kind } = compiled.builtin;
  return {
    name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    problemOf: (given) => problemOf(() => compiled.renderArguments(given)),
    kind,
    sideEffect,
    risk,
    policyDecision: authorise(owner.policy, { kind, risk, approval }),
    options: definition,
    timeoutMs: definition.timeout ?? DEFAULT_TOOL_TIMEOUT_MS,
    executor: handingOn(compiled, createBuiltinExecutor(compiled.builtin, options)),
  };
}

function handingOn({ renderArguments }: Computing, executor: ToolExecutor): ToolExecutor {
  return {
    render: (call) => executor.render({ ...call, parameters: renderArguments(call.parameters) }),
    async execute(call, context) {
      let parameters: JsonObject;
      try {
        parameters = renderArguments(call.parameters);
      } catch (error) {
        if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
        const failure = gatewayFailure(error.code, error.message, { outcome: "none" });
        return { answer: { failure }, cost: { usd: 0, credits: 0 } };
      }
      return executor.execute({ ...call, parameters }, context);
    },
  };
}

function problemOf(render: () => unknown): string | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return error.message;
    throw error;
  }
}
