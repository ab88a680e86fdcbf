import type { Failure } from "@yagate/execution-machine/call-outcome";
import { type ToolReference, YagateError } from "@yagate/protocol";
import type { McpServices } from "../../mcp-calls/port.ts";
import type { SourcedTool, Tool } from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { toMcpTool } from "./mcp-tool.ts";
import type { ToolDependencies, ToolOwner } from "./tool-owner.ts";
import { toWithdrawableTool } from "./withdrawable-tool.ts";

/** What tools need from tool sources: whether they may still run, and a way to report that a source does not have one. */
export interface SourceOfTools {
  /**
   * Returns why a tool may no longer run; undefined if it may.
   *
   * @throws YagateError `UNAVAILABLE`.
   */
  refusalOf(tool: SourcedTool): Promise<Failure | undefined>;
  /**
   * Returns why a version of a workspace tool may no longer run; undefined if it may, or never followed a source.
   *
   * @throws YagateError `UNAVAILABLE`.
   */
  refusalOfVersion(version: Required<ToolReference>): Promise<Failure | undefined>;
  /** Called when the source responded that it does not have the tool. */
  onUnknownTool(tool: SourcedTool): void;
}

/**
 * Converts a tool of a source to a tool that is ready to run. The model reads its full name; calls contain the name that
 * the source publishes. It stops when its definition is withdrawn.
 */
export async function toSourcedTool(
  sourced: SourcedTool,
  owner: ToolOwner,
  dependencies: ToolDependencies & { readonly sources: SourceOfTools },
): Promise<Tool> {
  const { definition } = sourced;
  const tool = await ("mcp" in definition
    ? toMcpTool(definition, sourced, owner, requiredMcp(dependencies))
    : toExecutableTool(definition, owner, dependencies));
  const { executor } = tool;
  const { sources } = dependencies;
  const reporting: Tool = {
    ...tool,
    name: sourced.name,
    executor: {
      ...executor,
      async execute(call, context) {
        const outcome = await executor.execute(call, context);
        const { answer } = outcome;
        if ("failure" in answer && answer.failure.code === "UNKNOWN_TOOL") sources.onUnknownTool(sourced);
        return outcome;
      },
    },
  };
  return toWithdrawableTool(reporting, () => sources.refusalOf(sourced));
}

function requiredMcp({ mcp }: ToolDependencies): McpServices {
  if (mcp === undefined) throw new YagateError("INTERNAL", "expected services for the tools of MCP servers");
  return mcp;
}
