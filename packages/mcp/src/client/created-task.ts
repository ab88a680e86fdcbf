import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { McpCallError } from "./call-error.ts";
import type { Session } from "./open-session.ts";
import type { McpCreatedTask, McpTaskTimes } from "./port.ts";

/** Maximum length of the id of a task, in characters. Every request about the task contains it as a header. */
const MAX_TASK_ID_CHARACTERS = 1_024;

/**
 * Keeps the task with which a server responds to the one tool call of a session. The protocol library knows no tasks:
 * it would reject the response, and the id of the running task would be lost.
 *
 * @returns a function that returns the result with the task, or undefined if the call has another result.
 */
export function interceptTask({ transport, isModern }: Session): () => unknown {
  let created: unknown;
  // In older revisions, `resultType` means nothing.
  if (!isModern) return () => undefined;
  const receive = transport.onmessage?.bind(transport);
  transport.onmessage = (message) => {
    const result = "result" in message ? message.result : undefined;
    if (!("result" in message) || result?.["resultType"] !== "task") return receive?.(message);
    created = result;
    return receive?.({ ...message, result: { resultType: "complete", content: [] } });
  };
  return () => created;
}

/**
 * Reads the task with which a server continues a call.
 *
 * @throws McpCallError `INVALID_RESPONSE`: the tool is running, but its task cannot be polled.
 */
export function readCreatedTask(result: unknown): McpCreatedTask {
  const { taskId } = isJsonObject(result) ? result : {};
  if (typeof taskId !== "string" || taskId === "" || taskId.length > MAX_TASK_ID_CHARACTERS) {
    const message = `the MCP server continues the call as a task, but not with an id of 1 to ${MAX_TASK_ID_CHARACTERS} characters`;
    throw new McpCallError("INVALID_RESPONSE", message, { outcome: "unknown" });
  }
  return { taskId, ...readTaskTimes(result) };
}

/** Reads the times of a task. Times that are not numbers count as not given. */
export function readTaskTimes(task: unknown): McpTaskTimes {
  const { ttlMs, pollIntervalMs } = isJsonObject(task) ? task : {};
  return { ttlMs: readMs(ttlMs) ?? null, ...defined({ pollIntervalMs: readMs(pollIntervalMs) }) };
}

function readMs(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.floor(value)))
    : undefined;
}
