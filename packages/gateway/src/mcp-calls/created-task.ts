import { gatewayFailure } from "@yagate/calls/failure";
import type { CreatedTask, Failure } from "@yagate/execution-machine/call-outcome";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { McpCreatedTask } from "@yagate/mcp/client/port";
import { jsonValueSchema } from "@yagate/protocol";

/** The task in which a server continues a call, and the text that the record of the attempt contains. */
export interface ReadCreatedTask {
  readonly answer: { readonly task: CreatedTask } | { readonly failure: Failure };
  readonly response: string;
}

/** The polling interval of a task if the server suggests none, in ms. */
const DEFAULT_POLL_MS = 5_000;
/** The bounds of the interval that a server can suggest, in ms: 1 second to 1 hour. */
const POLL_BOUNDS_MS = { least: 1_000, most: 3_600_000 };

/**
 * Returns the polling interval of a task, in ms.
 *
 * @param suggestedMs - what the server suggests; undefined if it suggests nothing.
 */
export function pollInterval(suggestedMs: number | undefined): number {
  return Math.min(POLL_BOUNDS_MS.most, Math.max(POLL_BOUNDS_MS.least, suggestedMs ?? DEFAULT_POLL_MS));
}

/** Reads a task. Its id is stored and must go back unchanged, so an id that contains the credential is refused. */
export function readCreatedTask(created: McpCreatedTask, redaction: Redaction): ReadCreatedTask {
  const { taskId: id, ttlMs, pollIntervalMs } = created;
  const response = JSON.stringify(redaction.json(jsonValueSchema.parse({ ...created })));
  if (redaction.json(id) !== id) {
    const message = "the MCP server put the credential of the source into the id of a task";
    return { answer: { failure: gatewayFailure("INVALID_RESPONSE", message, { outcome: "unknown" }) }, response };
  }
  return { answer: { task: { id, ttlMs, pollIntervalMs: pollInterval(pollIntervalMs) } }, response };
}
