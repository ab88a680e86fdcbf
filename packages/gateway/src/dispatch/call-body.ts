import type { AttemptRequest } from "./port.ts";

/** What an attempt adds to its request. */
export interface AttemptMoment {
  /** ms since the epoch: when this attempt is signed. */
  readonly timestamp: number;
  readonly schemaHash: string;
}

/** The body of a signed call: the one text that is signed, sent and recorded. */
export function callBody(request: AttemptRequest, { timestamp, schemaHash }: AttemptMoment): string {
  const { toolCallId, agentId, executionId, tool, parameters, number, deadline, caller } = request;
  return JSON.stringify({
    toolCallId,
    agentId,
    executionId,
    name: tool.name,
    parameters,
    attempt: number,
    timestamp: new Date(timestamp).toISOString(),
    deadline: new Date(deadline).toISOString(),
    schemaHash,
    audience: tool.handler,
    caller,
  });
}
