import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { builtinTools } from "@yagate/builtins/builtin-tools";
import { type Agent, DEFAULT_LIMITS, type ToolDefinition } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import type { CallContext, Failure, Tool, ToolCall, ToolOutcome, Toolset } from "../../src/tools/port.ts";
import { createToolset } from "../../src/tools/toolset/toolset.ts";
import { createWorld, type DispatchWorld, NOW } from "../webhooks/support/dispatch-world.ts";

export const HANDLER = "https://orders.example/tools/lookup_order";

/** A handler tool; each test changes what it is about. */
export const lookupOrder = {
  name: "lookup_order",
  description: "Looks up an order.",
  parameters: {
    type: "object",
    properties: { orderId: { type: "string", pattern: "^ORD-[0-9]+$" } },
    required: ["orderId"],
    additionalProperties: false,
  },
  handler: HANDLER,
} satisfies ToolDefinition;

export function agentWith(tools: readonly ToolDefinition[], rest: Partial<Agent> = {}): Agent {
  return {
    id: "agt_01",
    version: 1,
    name: "support",
    model: "scripted/keyword",
    systemPrompt: "",
    tools: [...tools],
    limits: DEFAULT_LIMITS,
    integrations: [],
    credentials: [],
    webhookUrls: [],
    policy: { network: false, approval: "destructive" },
    createdAt: "2026-11-21T06:00:00.000Z",
    updatedAt: "2026-11-21T06:00:00.000Z",
    ...rest,
  };
}

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
