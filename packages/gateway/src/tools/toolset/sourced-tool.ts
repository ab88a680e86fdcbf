import { YagateError } from "@yagate/protocol";
import { unsentOutcome } from "../../calls/exchange-record.ts";
import { unsentFailure } from "../../calls/failure.ts";
import type { Failure, SourcedTool, Tool } from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import type { ToolDependencies, ToolOwner } from "./tool-owner.ts";

/**
 * Returns why a tool of a source may no longer run; undefined if it may.
 *
 * @throws YagateError `UNAVAILABLE`.
 */
export type SourceRefusal = (tool: SourcedTool) => Promise<Failure | undefined>;

/**
 * Converts a tool of a source to a tool that is ready to run. The model reads its full name; calls contain the name that
 * the source publishes. Every attempt first checks that the definition was not withdrawn.
 */
export async function toSourcedTool(
  sourced: SourcedTool,
  owner: ToolOwner,
  dependencies: ToolDependencies & { readonly sourceRefusal: SourceRefusal },
): Promise<Tool> {
  const tool = await toExecutableTool(sourced.definition, owner, dependencies);
  const { executor } = tool;
  return {
    ...tool,
    name: sourced.name,
    executor: {
      render: executor.render,
      async execute(call, context) {
        const startedAt = performance.now();
        const refusal = await dependencies.sourceRefusal(sourced).catch(refuseUnchecked);
        if (refusal !== undefined) return unsentOutcome(refusal, performance.now() - startedAt);
        return executor.execute(call, context);
      },
    },
  };
}

function refuseUnchecked(error: unknown): Failure {
  if (!YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
  return unsentFailure("UNAVAILABLE", "the gateway could not check that the tool's definition is still accepted");
}
