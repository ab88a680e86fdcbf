import { DEFAULT_NETWORK_TIMEOUT_MS, type JsonObject, schemaHash } from "@yagate/protocol";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import { riskOf } from "../../policy/risk.ts";
import type { Tool } from "../port.ts";
import type { CallOptions } from "../toolset/tool-entry.ts";
import { createNetworkExecutor } from "./network-executor.ts";
import { argumentProblem, targetOf } from "./network-target.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import type { NetworkServices } from "./services.ts";

/** What the model is told of a tool whose calls are requests, and how its calls are run. */
export interface DescribedRequest {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly sideEffect: Tool["sideEffect"];
  readonly risk?: NonNullable<Tool["risk"]> | undefined;
  readonly approval?: Parameters<typeof authorise>[1]["approval"];
  /** Its author says that what it brings is as good as the author's own; default false. */
  readonly isTrusted?: boolean | undefined;
  readonly options: CallOptions;
}

/** Makes a tool whose calls are requests ready to run. */
export async function toRequestTool(
  tool: NetworkTool,
  { description, parameters, sideEffect, risk: declared, approval, isTrusted = false, options }: DescribedRequest,
  {
    policy,
    agent,
    services,
  }: {
    readonly policy: Parameters<typeof authorise>[0];
    readonly agent: NetworkAgent;
    readonly services: NetworkServices;
  },
): Promise<Tool> {
  const { timeout: timeoutMs = DEFAULT_NETWORK_TIMEOUT_MS } = options;
  const risk = riskOf({ sideEffect: sideEffect ?? undefined, risk: declared });
  return {
    name: tool.name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    problemOf: argumentProblem(tool),
    isPrimitive: tool.isPrimitive,
    kind: "network",
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind: "network", risk, approval }),
    asksAfterUntrusted: asksAfterUntrusted(policy, { risk, approval }),
    isUntrusted: !isTrusted,
    options,
    targetOf: targetOf(tool),
    timeoutMs,
    executor: createNetworkExecutor({ ...tool, timeoutMs }, agent, services),
  };
}
