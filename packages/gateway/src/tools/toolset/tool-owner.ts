import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import {
  type Agent,
  type AgentPolicy,
  type CompleteToolDefinition,
  isBuiltinTool,
  isComposedTool,
  isHandlerTool,
  isRestTool,
  YagateError,
} from "@yagate/protocol";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import type { Dispatcher } from "@yagate/webhooks/port";
import { secretNameOf } from "../../mcp-calls/endpoint.ts";
import type { McpServices } from "../../mcp-calls/port.ts";
import { type CompiledComposedTool, compileComposedTool } from "../composed/compile-composed-tool.ts";
import type { BuiltinExecutorOptions } from "../executors/builtin-executor.ts";
import { secretsInHeaders } from "../executors/static-headers.ts";
import type { NetworkAgent } from "../http/network-tool.ts";
import { preambleOf } from "../http/primitives/preamble.ts";
import { primitiveOf } from "../http/primitives/primitives.ts";
import type { NetworkServices } from "../http/services.ts";
import type { SourcedTool, Tool } from "../port.ts";

/** What tools of all kinds need to run. */
export interface ToolDependencies extends BuiltinExecutorOptions {
  readonly dispatcher: Dispatcher;
  /** Built-in tools by name. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly argumentValidator: ArgumentValidator;
  /** What network tools need. Absent: no network tool can run. */
  readonly network?: NetworkServices;
  /** What the tools of MCP servers need. Absent: there can be no such tools. */
  readonly mcp?: McpServices;
}

/** The parts of an agent that its tools share. */
export interface ToolOwner {
  readonly policy: AgentPolicy;
  readonly agent: NetworkAgent;
  /** Compiled composed tools by name. */
  readonly composed: ReadonlyMap<string, CompiledComposedTool>;
  readonly guidance: NonNullable<Tool["guidance"]>;
}

/**
 * Collects what the tools of an agent share.
 *
 * @param tools - all tools of the agent, with resolved references.
 * @param sourced - its tools of tool sources; default: none.
 */
export function toolOwner(
  {
    policy,
    integrations,
    credentials,
    webhookUrls,
  }: Pick<Agent, "policy" | "integrations" | "credentials" | "webhookUrls">,
  tools: readonly CompleteToolDefinition[],
  dependencies: ToolDependencies,
  sourced: readonly SourcedTool[] = [],
): ToolOwner {
  const definitions = tools.filter((tool) => isComposedTool(tool));
  const composed = new Map(
    definitions.map((tool) => [tool.name, compileComposedTool(tool, definitions, dependencies)]),
  );
  const secretNames = new Set([
    ...credentials,
    ...tools.flatMap((tool) => (isHandlerTool(tool) ? secretsInHeaders(tool) : [])),
    ...tools.flatMap((tool) => (isRestTool(tool) ? (tool.rest.credential ?? []) : [])),
    ...[...composed.values()].flatMap((tool) => (tool.kind === "network" ? tool.template.secretNames : [])),
    ...sourced.flatMap(({ definition }) => credentialOf(definition) ?? []),
  ]);
  const agent = { integrations, credentials, webhookUrls, secretNames: [...secretNames] };
  const primitives = tools.flatMap((tool) => (isBuiltinTool(tool) ? (primitiveOf(tool.builtin) ?? []) : []));
  return {
    policy,
    agent,
    composed,
    guidance: (workspaceId) => preambleOf(primitives, agent, workspaceId, requiredServices(dependencies)),
  };
}

/** Returns the secret that the calls of a source's tool send; undefined if they send none. */
function credentialOf(definition: SourcedTool["definition"]): string | undefined {
  if ("mcp" in definition) return secretNameOf(definition.mcp.auth);
  return "rest" in definition ? definition.rest.credential : undefined;
}

/**
 * Returns the network services.
 * @throws YagateError `INTERNAL` if there are none.
 */
export function requiredServices({ network }: Pick<ToolDependencies, "network">): NetworkServices {
  if (network === undefined) throw new YagateError("INTERNAL", "expected network services for the requests of tools");
  return network;
}
