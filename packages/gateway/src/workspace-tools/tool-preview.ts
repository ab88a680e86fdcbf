import type { NewId } from "@yagate/lib/ids/ids";
import {
  type ApprovalRequest,
  type JsonValue,
  jsonValueSchema,
  type previewToolSchema,
  type ToolPreview,
  toolIdSchema,
  YagateError,
} from "@yagate/protocol";
import type { AgentStore, ToolStore } from "@yagate/store/port";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { RenderError } from "@yagate/tool-definitions/request/render-error";
import type * as z from "zod";
import { noSuchAgent } from "../agents/agent-writer.ts";
import { InvalidRequestError } from "../errors/request-errors.ts";
import type { LoadAgent } from "../executions/run/loaded-agents.ts";
import { assertSchema } from "./arguments-check.ts";
import { type CompleteWorkspaceDefinition, parseComplete } from "./complete-definition.ts";
import type { MakeSoleTool, ReadyTool } from "./sole-tool.ts";
import type { ToolCheck } from "./tool-check.ts";

type PreviewRequest = z.output<typeof previewToolSchema>;

export interface ToolPreviewOptions {
  readonly tools: Pick<ToolStore, "find" | "findByName">;
  readonly agents: Pick<AgentStore, "find">;
  readonly loadAgent: LoadAgent;
  readonly makeTool: MakeSoleTool;
  readonly check: ToolCheck;
  readonly argumentValidator: ArgumentValidator;
  readonly newId: NewId;
}

/**
 * Returns the request that a call would send, without sending it.
 *
 * @throws InvalidRequestError for an unknown tool, an invalid definition, or invalid arguments.
 * @throws YagateError `NOT_FOUND` for an unknown agent.
 */
export type PreviewTool = (workspaceId: string, request: PreviewRequest) => Promise<ToolPreview>;

export function createToolPreview(options: ToolPreviewOptions): PreviewTool {
  const { tools, agents, loadAgent, makeTool, check, argumentValidator, newId } = options;

  async function ofAgent(workspaceId: string, agentId: string, name: string): Promise<ReadyTool> {
    const row = await agents.find(workspaceId, agentId);
    if (row === undefined || row.archivedAt !== null) throw noSuchAgent();
    const { agent, toolset } = await loadAgent({ agentId, agentVersion: row.agent.version });
    const tool = toolset.tools.get(name);
    if (tool === undefined) throw unknownTool("expected the name of one of the agent's tools");
    return { agent, tool, toolset };
  }

  async function ofWorkspace(workspaceId: string, nameOrId: string): Promise<ReadyTool> {
    const isId = toolIdSchema.safeParse(nameOrId).success;
    const row = await (isId ? tools.find(workspaceId, nameOrId) : tools.findByName(workspaceId, nameOrId));
    if (row === undefined || row.archivedAt !== null) throw unknownTool("expected a tool of this workspace");
    const parsed = parseComplete(row.tool.definition);
    if ("problems" in parsed) throw new InvalidRequestError(parsed.problems);
    return checked(workspaceId, parsed.definition);
  }

  async function checked(workspaceId: string, definition: CompleteWorkspaceDefinition): Promise<ReadyTool> {
    const { errors } = await check(workspaceId, definition);
    if (errors.length > 0) throw new InvalidRequestError(errors);
    return makeTool(definition);
  }

  return async (workspaceId, { agentId, tool: asked, parameters }) => {
    const isNamed = typeof asked === "string";
    const ready = !isNamed
      ? await checked(workspaceId, asked)
      : await (agentId === undefined ? ofWorkspace(workspaceId, asked) : ofAgent(workspaceId, agentId, asked));
    assertSchema(argumentValidator, ready.tool, parameters);
    const ids = { executionId: newId("execution"), toolCallId: newId("toolCall") };
    const call = {
      ...{ workspaceId, agentId: agentId ?? ready.agent.id, ...ids },
      ...{ name: ready.tool.name, parameters, attempt: 1 },
    };
    const { request } = await ready.tool.executor.render(call).catch(refuseArguments);
    if (request === null)
      throw unknownTool(`expected a tool that sends requests; ${ready.tool.name} runs inside the gateway`);
    return toPreview(request);
  };
}

function unknownTool(message: string): InvalidRequestError {
  return new InvalidRequestError([{ path: "tool", code: "UNKNOWN_TOOL", message }]);
}

function refuseArguments(error: unknown): never {
  if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
  const code = error instanceof RenderError ? error.reason : error.code;
  throw new InvalidRequestError([{ path: "parameters", code, message: error.message }], "INVALID_ARGUMENTS");
}

function toPreview({ method, url, headers, body }: ApprovalRequest): ToolPreview {
  return { method, url, headers, body: bodyOf(body) };
}

function bodyOf(text: string): JsonValue {
  if (text === "") return null;
  try {
    return jsonValueSchema.parse(JSON.parse(text));
  } catch {
    return text;
  }
}
