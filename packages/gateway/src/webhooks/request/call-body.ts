import type { CallbackTicket } from "../dispatcher-options.ts";
import type { AttemptRequest, CallContent } from "../port.ts";

/** Fields of the body that are made when an attempt is sent. */
export const FIELDS_OF_ATTEMPT: ReadonlySet<string> = new Set(["attempt", "timestamp", "deadline", "callback"]);

/** What an attempt adds to its request. */
export interface AttemptMoment extends Pick<AttemptRequest, "number" | "deadline"> {
  /** ms since the epoch: when this attempt is signed. */
  readonly timestamp: number;
  readonly schemaHash: string;
  /** Of an asynchronous call, with its end in ms since the epoch. */
  readonly callback?: CallbackTicket & { readonly expiresAt: number };
}

/** The body of a signed call: the one text that is signed, sent and recorded. */
export function callBody(call: CallContent, { callback, ...moment }: AttemptMoment): string {
  const { number, deadline, timestamp, schemaHash } = moment;
  const { toolCallId, agentId, executionId, tool, parameters, caller } = call;
  return JSON.stringify({
    toolCallId,
    agentId,
    executionId,
    name: tool.name,
    parameters,
    attempt: number,
    timestamp: toTimestamp(timestamp),
    deadline: toTimestamp(deadline),
    schemaHash,
    audience: tool.handler,
    caller,
    ...(callback === undefined ? {} : { callback: { ...callback, expiresAt: toTimestamp(callback.expiresAt) } }),
  });
}

function toTimestamp(at: number): string {
  return new Date(at).toISOString();
}
