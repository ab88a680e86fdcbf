import type { ExecutionState } from "@yagate/execution-machine/state";
import { type ExecutionEvent, toVisibleLine, toVisibleText } from "@yagate/protocol";
import type { NewInputRequest } from "@yagate/store/port";
import type { RunSubject } from "../run/run-dependencies.ts";

/**
 * Returns the rows of the questions that a step asks, with everything that the answering person sees.
 *
 * @param state - the state after the step.
 */
export function newInputRequests(
  events: readonly ExecutionEvent[],
  state: ExecutionState,
  { execution, agent, toolset }: Pick<RunSubject, "execution" | "agent" | "toolset">,
): readonly NewInputRequest[] {
  return events.flatMap((event) => {
    if (event.type !== "input.requested" || event.questions.length === 0) return [];
    const { toolCallId, round, questions, at, expiresAt } = event;
    const name = state.turns.at(-1)?.calls.find(({ id }) => id === toolCallId)?.name ?? toolCallId;
    const description = toVisibleText(toolset.tools.get(name)?.description ?? "");
    const details = {
      agentId: execution.agentId,
      agentVersion: execution.agentVersion,
      agentName: toVisibleLine(agent.name),
      tool: { name, description },
      questions,
    };
    const { id: executionId, workspaceId } = execution;
    const times = { requestedAt: Date.parse(at), expiresAt: Date.parse(expiresAt) };
    return [{ toolCallId, workspaceId, executionId, round, ...times, details }];
  });
}
