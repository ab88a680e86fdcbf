import { unsentFailure } from "@yagate/calls/failure";
import type { ToolExecutor } from "@yagate/calls/port";
import { unsentOutcome } from "@yagate/calls/send-call";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { Tool } from "../port.ts";

/**
 * Makes a tool stop when the accepted definition on which it depends is withdrawn. Every attempt checks this, after the
 * commit that starts it, and again if it had to wait before it could be sent.
 *
 * @param refusalOf - returns why the tool may no longer run; undefined if it may. Throws YagateError `UNAVAILABLE`.
 */
export function toWithdrawableTool(tool: Tool, refusalOf: () => Promise<Failure | undefined>): Tool {
  const { executor } = tool;
  const refusal = () => refusalOf().catch(refuseUnchecked);
  return {
    ...tool,
    withdrawal: refusal,
    executor: {
      render: executor.render,
      ...defined({ followTask: followedWhileAccepted(executor.followTask, refusal) }),
      async execute(call, context) {
        const startedAt = performance.now();
        const refused = await refusal();
        if (refused !== undefined) return unsentOutcome(refused, performance.now() - startedAt);
        return executor.execute(call, { ...context, refusalAfterWait: refusal });
      },
    },
  };
}

/**
 * Ends the call of a tool whose definition was withdrawn: the gateway asks the server to cancel the task, and sends it
 * neither more requests nor a person's answers. If the source only no longer lists the tool, its task continues.
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

function refuseUnchecked(error: unknown): Failure {
  if (!YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
  return unsentFailure("UNAVAILABLE", "the gateway could not check that the tool's definition is still accepted");
}
