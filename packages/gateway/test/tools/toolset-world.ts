import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { builtinTools } from "@yagate/builtins/builtin-tools";
import type { Agent, ToolDefinition } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";

export { agentWith, HANDLER, lookupOrder } from "../../../tool-definitions/test/support/definitions.ts";

import type { Failure } from "@yagate/execution-machine/call-outcome";
import { agentWith } from "../../../tool-definitions/test/support/definitions.ts";
import { createWorld, type DispatchWorld, NOW } from "../../../webhooks/test/support/dispatch-world.ts";
import type { CallContext, Tool, ToolCall, ToolOutcome, Toolset } from "../../src/tools/port.ts";
import { createToolset } from "../../src/tools/toolset/toolset.ts";

export interface ToolsetWorld extends DispatchWorld {
  toolsetOf(tools: readonly ToolDefinition[], rest?: Partial<Agent>): Promise<Toolset>;
}

/** Toolsets over a real dispatcher, the real built-ins and others of a test. */
export async function createToolsetWorld(
  options: { readonly configured?: readonly BuiltinTool[] } = {},
): Promise<ToolsetWorld> {
  const { configured } = options;
  const world = await createWorld();
  const toolsetOptions = {
    dispatcher: world.dispatcher,
    builtins: builtinTools(configured === undefined ? {} : { configured }),
    argumentValidator: createArgumentValidator(),
    now: () => NOW,
    onError: (error: unknown) => world.errors.push(error),
  };
  return { ...world, toolsetOf: (tools, agent) => createToolset(agentWith(tools, agent), toolsetOptions) };
}

/** Runs a tool as the runner does after it admitted a call. */
export function execute(
  toolset: Toolset,
  call: Partial<ToolCall> & { readonly name: string },
  context: Partial<CallContext> = {},
): Promise<ToolOutcome> {
  return toolNamed(toolset, call.name).executor.execute(
    {
      workspaceId: "ws_01",
      agentId: "agt_01",
      executionId: "exec_01",
      toolCallId: "tc_01",
      parameters: {},
      attempt: 1,
      ...call,
    },
    { deadline: NOW + 10_000, signal: new AbortController().signal, beforeSend: () => {}, ...context },
  );
}

export function toolNamed(toolset: Toolset, name: string): Tool {
  const tool = toolset.tools.get(name);
  if (tool === undefined) throw new Error(`expected a tool ${name}`);
  return tool;
}

/** The failure of an outcome that must be one. */
export function failureOf({ answer }: ToolOutcome): Failure {
  if (!("failure" in answer)) throw new Error("expected a failure, and there is none");
  return answer.failure;
}
