import { defined } from "@yagate/lib/objects/defined";
import { riskOf } from "@yagate/lib/tools/risk-of";
import { DEFAULT_NETWORK_TIMEOUT_MS, schemaHash } from "@yagate/protocol";
import { modelDescription } from "@yagate/tool-definitions/model-description";
import type { McpToolDefinition } from "@yagate/tool-sources/port";
import { secretNameOf } from "../../mcp-calls/endpoint.ts";
import { createMcpExecutor } from "../../mcp-calls/mcp-executor.ts";
import type { McpServices } from "../../mcp-calls/port.ts";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import type { SourcedTool, Tool } from "../port.ts";
import type { ToolOwner } from "./tool-owner.ts";

/** Makes a tool of an MCP server ready to run, under the name that the server publishes. */
export async function toMcpTool(
  definition: McpToolDefinition,
  { source, sourceName, hash, outputSchema }: SourcedTool,
  { policy }: Pick<ToolOwner, "policy">,
  services: McpServices,
): Promise<Tool> {
  const { name, parameters, mcp: server, sideEffect = null, approval, trusted: isTrusted = false } = definition;
  const risk = riskOf(definition);
  const { url, auth } = server;
  const target = {
    ...{ method: "POST", url, mcp: { method: "tools/call", server: sourceName } },
    ...defined({ credential: secretNameOf(auth) }),
  };
  const tool = { name, hash, parameters, outputSchema, server, source: { id: source, name: sourceName } };
  return {
    ...{ name, description: modelDescription(definition), parameters, schemaHash: await schemaHash(parameters) },
    ...{ kind: "network", sideEffect, risk },
    policyDecision: authorise(policy, { kind: "network", risk, approval }),
    asksAfterUntrusted: asksAfterUntrusted(policy, { risk, approval }),
    isUntrusted: !isTrusted,
    options: definition,
    targetOf: () => target,
    timeoutMs: definition.timeout ?? DEFAULT_NETWORK_TIMEOUT_MS,
    executor: createMcpExecutor(tool, services),
  };
}
