import { type ComposedToolDefinition, DEFAULT_TOOL_TIMEOUT_MS, schemaHash } from "@yagate/protocol";
import { modelDescription } from "@yagate/tool-definitions/model-description";
import { renderProblem } from "@yagate/tool-definitions/request/render-error";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import type { BuiltinExecutorOptions } from "../executors/builtin-executor.ts";
import { toRequestTool } from "../http/network-executor.ts";
import type { NetworkTool } from "../http/network-tool.ts";
import type { Tool } from "../port.ts";
import { artifactReading } from "../toolset/artifact-reading.ts";
import type { CompiledComposedTool } from "./compile-composed-tool.ts";
import { createComputeExecutor } from "./compute-executor.ts";
import { approvalOf } from "./effective-traits.ts";

type RequestOwner = Parameters<typeof toRequestTool>[2];

/** Returns the request of a composed tool whose target sends one. */
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

/** Converts a composed tool of an agent to a tool that is ready to run. */
export async function toComposedTool(
  definition: ComposedToolDefinition,
  compiled: CompiledComposedTool,
  owner: Omit<RequestOwner, "services"> & { readonly services: () => RequestOwner["services"] },
  options: BuiltinExecutorOptions,
): Promise<Tool> {
  const { name, parameters, trusted: isTrusted } = definition;
  const { traits } = compiled;
  const description = modelDescription(definition);
  const { sideEffect = null, risk } = traits;
  const approval = approvalOf(definition, traits, owner.policy);
  if (compiled.kind === "network") {
    const described = { description, parameters, sideEffect, risk, approval, isTrusted, options: definition };
    const { policy, agent, services } = owner;
    return toRequestTool(composedRequest(definition, compiled), described, { policy, agent, services: services() });
  }
  const { kind, asksModel = false, timeoutMs = DEFAULT_TOOL_TIMEOUT_MS } = compiled.builtin;
  return {
    name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    problemOf: (given) => renderProblem(() => compiled.renderArguments(given)),
    kind,
    sideEffect,
    risk: risk ?? null,
    policyDecision: authorise(owner.policy, { kind, risk: risk ?? null, approval }),
    asksAfterUntrusted: asksAfterUntrusted(owner.policy, { risk: risk ?? null, approval }),
    options: definition,
    timeoutMs: definition.timeout ?? timeoutMs,
    asksModel,
    executor: createComputeExecutor(definition, compiled, options),
    ...artifactReading(owner.policy, compiled.builtin, compiled.renderArguments),
  };
}
