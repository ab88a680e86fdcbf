import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import type { RecordedAnswers } from "@yagate/protocol";
import * as z from "zod";
import { McpCallError } from "./call-error.ts";
import { toCallResult } from "./call-result.ts";
import { readTaskTimes } from "./created-task.ts";
import { isInvalidParams, isInvalidResult, toCallError } from "./failures.ts";
import { inSession } from "./in-session.ts";
import type { CallRequestFacts, EraVerdict, McpEndpoint, McpTaskState } from "./port.ts";
import { readRequiredInput } from "./required-input.ts";

/** A request about the task of a call, in the extension `io.modelcontextprotocol/tasks`. */
export interface McpTaskRequest {
  readonly taskId: string;
  readonly verdict?: EraVerdict | undefined;
  /** Maximum time in ms for the complete request. */
  readonly timeoutMs: number;
  /** Maximum size of the server's responses, in bytes. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  /**
   * Called immediately before the request is sent. If it throws, nothing is sent, and the request rejects with that
   * error.
   */
  readonly beforeSend?: () => void;
  /** Set as the request proceeds. */
  readonly facts?: CallRequestFacts;
}

type TaskMethod = "tasks/get" | "tasks/update" | "tasks/cancel";

/** The results of these requests are read below. */
const resultSchema = z.looseObject({});

/**
 * Returns the state of a task.
 *
 * @throws McpCallError `INVALID_RESPONSE`, `RESPONSE_TOO_LARGE` or `INPUT_REFUSED` if the call can have no result; any
 *   other code if the request may be sent again.
 */
export async function readMcpTask(endpoint: McpEndpoint, request: McpTaskRequest): Promise<McpTaskState> {
  const task = await send(endpoint, request, "tasks/get");
  if (task === undefined) return { status: "unknown" };
  const { isCallToolResult } = await import("@modelcontextprotocol/client");
  if (task["taskId"] !== request.taskId) throw invalid("a different task than the one that was requested");
  const times = readTaskTimes(task);
  switch (task["status"]) {
    case "working":
      return { status: "working", ...times };
    case "input_required":
      return { status: "input_required", questions: readRequiredInput(task).questions, ...times };
    case "completed": {
      const { result } = task;
      if (!isCallToolResult(result)) throw invalid("a completed task without the result of a tool");
      return { status: "completed", result: toCallResult(result) };
    }
    case "failed": {
      const { code } = isJsonObject(task["error"]) ? task["error"] : {};
      return { status: "failed", code: typeof code === "number" ? code : undefined };
    }
    case "cancelled":
      return { status: "cancelled" };
    default:
      throw invalid("a task in an unknown state");
  }
}

/**
 * Sends the answers to the questions of a task. A server ignores answers that it already has.
 *
 * @returns whether the server knows the task.
 * @throws McpCallError
 */
export async function answerMcpTask(
  endpoint: McpEndpoint,
  request: McpTaskRequest & { readonly answers: RecordedAnswers },
): Promise<boolean> {
  return (await send(endpoint, request, "tasks/update", { inputResponses: { ...request.answers } })) !== undefined;
}

/**
 * Asks the server to cancel a task. The server decides whether and when it does.
 *
 * @throws McpCallError
 */
export async function cancelMcpTask(endpoint: McpEndpoint, request: McpTaskRequest): Promise<void> {
  await send(endpoint, request, "tasks/cancel");
}

/** Returns the result of a request; undefined if the server does not know the task. */
async function send(endpoint: McpEndpoint, request: McpTaskRequest, method: TaskMethod, rest: object = {}) {
  const { taskId, verdict, timeoutMs, maxResponseBytes: maxBytes, signal } = request;
  let veto: { readonly error: unknown } | undefined;
  const beforeCall = () => {
    try {
      request.beforeSend?.();
    } catch (error) {
      veto = { error };
      throw error;
    }
  };
  const watch = { watched: method, beforeCall, ...defined({ facts: request.facts }) };
  const bounds = { endpoint, verdict, timeoutMs, maxBytes, signal, ...watch };
  try {
    return await inSession(bounds, ({ client, isModern }, library) => {
      // A method of this name exists in older revisions, for tasks of another kind.
      if (!isModern) throw new McpCallError("HANDLER_ERROR", NOT_SUPPORTED, { outcome: "unknown" });
      return client.request({ method, params: { taskId, ...rest } }, resultSchema, library);
    });
  } catch (error) {
    if (veto !== undefined) throw veto.error;
    if (isInvalidParams(error)) return undefined;
    if (isInvalidResult(error)) throw invalid("a response that does not follow the protocol", error);
    throw toCallError(error, { signal, isSent: true });
  }
}

const NOT_SUPPORTED = "the MCP server no longer supports the revision in which it started the task";

function invalid(what: string, cause?: unknown): McpCallError {
  return new McpCallError("INVALID_RESPONSE", `the MCP server returned ${what}`, {
    outcome: "unknown",
    ...defined({ cause }),
  });
}
