import type { ExecutionRequest, YagateError } from "@yagate/protocol";
import type { AgentRow } from "@yagate/store/port";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { lowerLimits } from "../executions/run/execution-config-of.ts";
import { noSuchAgent } from "./agent-writer.ts";
import { type IsPriced, unpricedModel } from "./unpriced-model.ts";

const SCRIPTED_TURNS = "scripted/turns";

/**
 * Returns why the agent cannot start this execution; undefined if it can. Even if it cannot, a repeated request finds
 * the execution that the first one started.
 */
export function startRefusal(
  { agent, archivedAt }: AgentRow,
  request: ExecutionRequest,
  isPriced: IsPriced,
): YagateError | undefined {
  if (archivedAt !== null) return noSuchAgent();
  const problem = scriptProblem(agent.model, request);
  // A recorded reply costs nothing.
  if (problem !== undefined || request.recording !== undefined) return problem;
  return unpricedModel(agent, lowerLimits(agent.limits, request.limits), isPriced);
}

/**
 * Returns an error if the request has a script for a model that plays none, or no script for the model that requires
 * one. A recording contains the replies of any model.
 */
function scriptProblem(model: string, { script, recording }: ExecutionRequest): InvalidRequestError | undefined {
  if (recording !== undefined) {
    if (script === undefined) return undefined;
    const message = "expected no script: the recording contains the replies of the model";
    return new InvalidRequestError([{ path: "script", code: "NOT_APPLICABLE", message }]);
  }
  const needsScript = model === SCRIPTED_TURNS;
  if (needsScript === (script !== undefined)) return undefined;
  const message = needsScript
    ? `expected a script for the model ${SCRIPTED_TURNS}, such as { "turns": [{ "text": "…" }] }`
    : `expected no script: only the model ${SCRIPTED_TURNS} plays one, and the agent's model is ${model}`;
  return new InvalidRequestError([{ path: "script", code: needsScript ? "REQUIRED" : "NOT_APPLICABLE", message }]);
}
