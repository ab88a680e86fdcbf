import type { CallToolResult, Server, ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import * as z from "zod";
import { clientCapabilities } from "./client-capabilities.ts";
import type { ServedTask, ServedTasks } from "./port.ts";

/** The extension in which a call continues as a task. Only the revision 2026-07-28 has it. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** The interval at which a client should ask about a task, in ms. */
const POLL_INTERVAL_MS = 5_000;

const paramsSchema = z.looseObject({ taskId: z.string() });

/** Returns whether the client of a request declares the extension. Clients of older revisions declare it with no request. */
export function acceptsTasks(context: ServerContext): boolean {
  const { extensions } = clientCapabilities(context);
  return isJsonObject(extensions) && TASKS_EXTENSION in extensions;
}

/** Returns the response to a call that continues as a task. */
export function toCreatedTask(task: ServedTask): CallToolResult {
  // The library has no type for it.
  return { content: [], ...{ resultType: "task", ...describe(task) } };
}

/** Serves the requests about tasks. A task of this server never asks for input, so answers to it are ignored. */
export function serveTasks(
  server: Server,
  tasks: ServedTasks,
  {
    MissingRequiredClientCapabilityError,
    ProtocolError,
    ProtocolErrorCode,
  }: typeof import("@modelcontextprotocol/server"),
): void {
  const schemas = { params: paramsSchema };
  const assertAccepted = (context: ServerContext) => {
    // In older revisions, requests of these names are another protocol.
    if (context.mcpReq.envelope === undefined) {
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "tasks are supported in the revision 2026-07-28 only");
    }
    if (acceptsTasks(context)) return;
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
  };
  const unknown = () => new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no task with this id");

  server.setRequestHandler("tasks/get", schemas, async ({ taskId }, context) => {
    assertAccepted(context);
    const task = await tasks.find(taskId);
    if (task === undefined) throw unknown();
    return { ...describe(task), ...defined({ result: task.result && { resultType: "complete", ...task.result } }) };
  });
  server.setRequestHandler("tasks/update", schemas, async ({ taskId }, context) => {
    assertAccepted(context);
    if ((await tasks.find(taskId)) === undefined) throw unknown();
    return {};
  });
  server.setRequestHandler("tasks/cancel", schemas, async ({ taskId }, context) => {
    assertAccepted(context);
    if (!(await tasks.cancel(taskId))) throw unknown();
    return {};
  });
}

function describe({ taskId, status, statusMessage, createdAt, lastUpdatedAt }: ServedTask) {
  const times = { createdAt, lastUpdatedAt, ttlMs: null, pollIntervalMs: POLL_INTERVAL_MS };
  return { taskId, status, ...defined({ statusMessage }), ...times };
}
