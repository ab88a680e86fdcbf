import {
  type Agent,
  type BuiltinToolDefinition,
  DEFAULT_NETWORK_TIMEOUT_MS,
  type JsonObject,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import { authorise } from "../../../policy/authorise.ts";
import { riskOf } from "../../../policy/risk.ts";
import type { Tool } from "../../port.ts";
import { createNetworkExecutor } from "../network-executor.ts";
import { argumentProblem, targetOf } from "../network-target.ts";
import type { NetworkAgent, NetworkTool } from "../network-tool.ts";
import type { NetworkServices } from "../services.ts";
import type { Primitive } from "./primitive.ts";
import { parsePrimitiveConfig } from "./primitive-config.ts";
import { primitiveTemplate } from "./primitive-template.ts";

/**
 * Makes a primitive of an agent ready to run.
 *
 * @param guidance - what the model is told of all primitives of the agent.
 * @throws YagateError `INTERNAL` for a configuration that was not let through when the agent was saved.
 */
export async function toPrimitiveTool(
  primitive: Primitive,
  definition: BuiltinToolDefinition,
  { policy }: Pick<Agent, "policy">,
  {
    agent,
    services,
    guidance,
  }: {
    readonly agent: NetworkAgent;
    readonly services: NetworkServices;
    readonly guidance: NonNullable<Tool["guidance"]>;
  },
): Promise<Tool> {
  const parsed = parsePrimitiveConfig(definition, "");
  if (!("config" in parsed)) throw new YagateError("INTERNAL", "expected the configuration of a saved primitive");
  const { name, description, parameters, accepted, sideEffect, destination, takesCredential } = primitive;
  const { approval, timeout } = parsed.config;
  const risk = riskOf({ sideEffect });
  const tool: NetworkTool = {
    name,
    template: primitiveTemplate(primitive),
    credentialOf: takesCredential ? credentialOf : () => undefined,
    needsCredential: takesCredential,
    isPrimitive: true,
    destination,
    version: parameters,
  };
  return {
    name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    ...(accepted === undefined ? {} : { accepted: { parameters: accepted, schemaHash: await schemaHash(accepted) } }),
    problemOf: argumentProblem(tool),
    guidance,
    isPrimitive: true,
    kind: "network",
    sideEffect: sideEffect ?? null,
    risk,
    policyDecision: authorise(policy, { kind: "network", risk, approval }),
    options: {},
    targetOf: targetOf(tool),
    timeoutMs: timeout ?? DEFAULT_NETWORK_TIMEOUT_MS,
    executor: createNetworkExecutor(tool, agent, services),
  };
}

function credentialOf({ credential }: JsonObject): string | undefined {
  return typeof credential === "string" ? credential : undefined;
}
