import type { CallTarget } from "@yagate/execution-machine/call-outcome";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { riskOf } from "@yagate/lib/tools/risk-of";
import { DEFAULT_NETWORK_TIMEOUT_MS, type JsonObject, schemaHash } from "@yagate/protocol";
import { renderProblem } from "@yagate/tool-definitions/request/render-error";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import type { Tool } from "../port.ts";
import type { CallOptions } from "../toolset/tool-entry.ts";
import { type CallRequest, createCallRequests } from "./call-request.ts";
import { createNetworkExecutor } from "./network-executor.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import type { NetworkServices } from "./services.ts";

/** What {@link toRequestTool} needs to know about a tool, in addition to its request. */
export interface DescribedRequest {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly sideEffect: Tool["sideEffect"];
  readonly risk?: NonNullable<Tool["risk"]> | undefined;
  readonly approval?: Parameters<typeof authorise>[1]["approval"];
  /**
   * Whether the author declares the results as trusted, so that they do not count as untrusted content; default false.
   */
  readonly isTrusted?: boolean | undefined;
  readonly options: CallOptions;
}

/** Makes a tool that sends requests ready to run. */
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
  const requestOf = createCallRequests(tool);
  const risk = riskOf({ sideEffect: sideEffect ?? undefined, risk: declared });
  return {
    name: tool.name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    problemOf: (given) => renderProblem(() => requestOf(given).bare),
    isPrimitive: tool.isPrimitive,
    kind: "network",
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind: "network", risk, approval }),
    asksAfterUntrusted: asksAfterUntrusted(policy, { risk, approval }),
    isUntrusted: !isTrusted,
    options,
    targetOf: (given) => (isJsonObject(given) ? targetOf(() => requestOf(given), tool) : NOWHERE),
    timeoutMs,
    executor: createNetworkExecutor({ tool, timeoutMs, requestOf }, agent, services),
  };
}

const NOWHERE: CallTarget = { method: "", url: "" };

/** Returns the destination of a call as its record shows it. */
function targetOf(request: () => CallRequest, { template }: NetworkTool): CallTarget {
  try {
    const { authored, credentialName } = request();
    const names = new Set([credentialName ?? [], ...template.secretNames].flat());
    const { method, url } = authored;
    return { method, url, ...(names.size === 0 ? {} : { credential: [...names].join(", ") }) };
  } catch {
    // The executor reports what is wrong with the request.
    return NOWHERE;
  }
}
