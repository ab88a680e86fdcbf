import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import { unsentOutcome } from "../../calls/exchange-record.ts";
import { unsentFailure } from "../../calls/failure.ts";
import type { ToolExecutor } from "../../calls/port.ts";
import type { McpServices } from "../../mcp-calls/port.ts";
import type { Failure, SourcedTool, Tool } from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { toMcpTool } from "./mcp-tool.ts";
import type { ToolDependencies, ToolOwner } from "./tool-owner.ts";

/** What a tool of a source needs from the source: whether it may still run, and a way to report that the source does not have it. */
export interface SourceOfTools {
  /**
   * Returns why a tool may no longer run; undefined if it may.
   *
   * @throws YagateError `UNAVAILABLE`.
   */
  refusalOf(tool: SourcedTool): Promise<Failure | undefined>;
  /** Called when the source responded that it does not have the tool. */
  onUnknownTool(tool: SourcedTool): void;
}

/**
 * Converts a tool of a source to a tool that is ready to run. The model reads its full name; calls contain the name that
 * the source publishes. Every attempt checks that the definition was not withdrawn, after the commit that starts it, and
 * again if it had to wait before it could be sent.
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
  const refusal = () => sources.refusalOf(sourced).catch(refuseUnchecked);
  return {
    ...tool,
    name: sourced.name,
    withdrawal: refusal,
    executor: {
      render: executor.render,
      ...defined({ followTask: followedWhileAccepted(executor.followTask, refusal) }),
      async execute(call, context) {
        const startedAt = performance.now();
        const refused = await refusal();
        if (refused !== undefined) return unsentOutcome(refused, performance.now() - startedAt);
        const outcome = await executor.execute(call, { ...context, refusalAfterWait: refusal });
        const { answer } = outcome;
        if ("failure" in answer && answer.failure.code === "UNKNOWN_TOOL") sources.onUnknownTool(sourced);
        return outcome;
      },
    },
  };
}

/**
 * Ends the call of a tool whose definition was withdrawn: the server is asked to cancel the task, and gets neither more
 * requests nor answers of a person. If the source only no longer lists the tool, its task goes on.
 */
function followedWhileAccepted(
  followTask: ToolExecutor["followTask"],
  refusalOf: () => Promise<Failure | undefined>,
): ToolExecutor["followTask"] {
  if (followTask === undefined) return undefined;
  return async (call, task, context) => {
    const refused = task.step === "cancel" ? undefined : await refusalOf();
    if (refused?.code !== "TOOL_HELD") return followTask(call, task, context);
    await followTask(call, { ...task, step: "cancel" }, context);
    return { outcome: { failure: { ...refused, outcome: "unknown" } } };
  };
}

function requiredMcp({ mcp }: ToolDependencies): McpServices {
  if (mcp === undefined) throw new YagateError("INTERNAL", "expected services for the tools of MCP servers");
  return mcp;
}

function refuseUnchecked(error: unknown): Failure {
  if (!YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
  return unsentFailure("UNAVAILABLE", "the gateway could not check that the tool's definition is still accepted");
}
