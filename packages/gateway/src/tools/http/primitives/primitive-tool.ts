import { type BuiltinToolDefinition, type JsonObject, schemaHash, YagateError } from "@yagate/protocol";
import type { Tool } from "../../port.ts";
import { toRequestTool } from "../network-executor.ts";
import type { NetworkTool } from "../network-tool.ts";
import type { Primitive } from "./primitive.ts";
import { parsePrimitiveConfig } from "./primitive-config.ts";
import { primitiveTemplate } from "./primitive-template.ts";

/**
 * Converts a primitive of an agent to a tool that is ready to run.
 *
 * @param owner.guidance - the guidance that the model reads for all primitives of the agent.
 * @throws YagateError `INTERNAL` for a configuration that the check of the agent should have rejected.
 */
export async function toPrimitiveTool(
  primitive: Primitive,
  definition: BuiltinToolDefinition,
  owner: Parameters<typeof toRequestTool>[2] & { readonly guidance: NonNullable<Tool["guidance"]> },
): Promise<Tool> {
  const parsed = parsePrimitiveConfig(definition, "");
  if (!("config" in parsed)) throw new YagateError("INTERNAL", "expected the configuration of a saved primitive");
  const { name, description, parameters, accepted, destination, takesCredential } = primitive;
  const { approval, timeout, risk, sideEffect = primitive.sideEffect ?? null } = parsed.config;
  const request: NetworkTool = {
    name,
    template: primitiveTemplate(primitive),
    credentialOf: takesCredential ? credentialOf : () => undefined,
    needsCredential: takesCredential,
    isPrimitive: true,
    destination,
    version: parameters,
  };
  const described = { description, parameters, sideEffect, risk, approval, options: { timeout } };
  const requestTool = await toRequestTool(request, described, owner);
  const tool = { ...requestTool, ...readingOf(primitive, requestTool), guidance: owner.guidance };
  if (accepted === undefined) return tool;
  return { ...tool, accepted: { parameters: accepted, schemaHash: await schemaHash(accepted) } };
}

/**
 * Returns how to determine whether a call only reads. If the model specifies the method, this depends on the arguments
 * of the call.
 */
function readingOf({ method }: Primitive, { targetOf }: Tool): Pick<Tool, "readRiskOf"> {
  if (method !== undefined || targetOf === undefined) return {};
  return { readRiskOf: (parameters) => (READS.has(targetOf(parameters).method) ? "external_read" : undefined) };
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function credentialOf({ credential }: JsonObject): string | undefined {
  return typeof credential === "string" && credential !== "" ? credential : undefined;
}
