import type { AttemptRequest, CallContent } from "./port.ts";

/** Fields of the body that every attempt has its own of. */
export const FIELDS_OF_ATTEMPT: ReadonlySet<string> = new Set(["attempt", "timestamp", "deadline"]);

/** What an attempt adds to its request. */
export interface AttemptMoment extends Pick<AttemptRequest, "number" | "deadline"> {
  /** ms since the epoch: when this attempt is signed. */
  readonly timestamp: number;
  readonly schemaHash: string;
}

/** The body of a signed call: the one text that is signed, sent and recorded. */
export function callBody(call: CallContent, { number, deadline, timestamp, schemaHash }: AttemptMoment): string {
  const { toolCallId, agentId, executionId, tool, parameters, caller } = call;
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
