import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject } from "@yagate/protocol";
import { type HttpServer, type Received, sendJson, startHttpServer } from "./http-server.ts";

/** The extension of the revision 2026-07-28. */
export const TASKS = "io.modelcontextprotocol/tasks";

/** A task as the server keeps it. */
export interface ServedTask {
  readonly taskId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  status: "working" | "input_required" | "completed" | "cancelled" | "failed";
  ttlMs: number | null;
  pollIntervalMs: number | undefined;
  /** The requests that are not answered yet. */
  inputRequests: Record<string, unknown>;
  /** The answers to requests that were open when they came. */
  readonly answers: Record<string, unknown>;
  result?: object;
  error?: object;
  readonly createdAt: string;
  lastUpdatedAt: string;
}

/** What a tool does: it may return a result at once, or change its task. */
export type TaskTool = (task: ServedTask, server: Pick<TaskServer, "tasks">) => object | undefined;

export interface TaskServer extends HttpServer {
  readonly tasks: Map<string, ServedTask>;
  /** The methods of all requests, in order. */
  readonly methods: string[];
  /** The answers of each `tasks/update`. */
  readonly updates: unknown[];
  /** Resolves as soon as a request of this method was answered. */
  readonly answered: (method: string, count?: number) => Promise<void>;
}

export interface TaskServerOptions {
  /** Default: `work`, whose task works until the test changes it. */
  readonly tools?: Readonly<Record<string, TaskTool>>;
  readonly ttlMs?: number | null;
  readonly pollIntervalMs?: number;
  /** Changes what the server sends, to be hostile. Undefined: the server does not respond. */
  readonly change?: (method: string, result: JsonObject) => JsonObject | undefined;
  /** Called before a request is handled. Returns how the server rejects it; undefined if it does not. */
  readonly refuse?: (method: string) => Refusal | undefined;
}

export interface Refusal {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;
const HEADER_MISMATCH = -32_020;
const MISSING_CAPABILITY = -32_021;

/**
 * Starts a server that speaks the extension by hand, as its specification says it. It lives as long as the current test.
 */
export async function startTaskServer(options: TaskServerOptions = {}): Promise<TaskServer> {
  const { tools = { work: () => undefined }, ttlMs = 60_000, pollIntervalMs = 1_000, change, refuse } = options;
  const tasks = new Map<string, ServedTask>();
  const methods: string[] = [];
  const updates: unknown[] = [];
  const waiters: (() => void)[] = [];

  function created(tool: string, args: JsonObject): ServedTask {
    const now = new Date().toISOString();
    return {
      ...{ taskId: randomUUID(), tool, arguments: args, status: "working", ttlMs, pollIntervalMs },
      ...{ inputRequests: {}, answers: {}, createdAt: now, lastUpdatedAt: now },
    };
  }

  function resultOf(method: string, params: JsonObject, declares: boolean): JsonObject {
    if (method === "server/discover") return discovered();
    if (method === "tools/list") return listed(Object.keys(tools));
    if (method === "tools/call") {
      const { name, arguments: args } = params;
      const tool = typeof name === "string" ? tools[name] : undefined;
      if (tool === undefined || typeof name !== "string") throw new RpcError(INVALID_PARAMS, "Unknown tool");
      const task = created(name, isJsonObject(args) ? args : {});
      const immediate = tool(task, { tasks });
      if (immediate !== undefined) return { resultType: "complete", ...immediate };
      if (!declares) throw new RpcError(MISSING_CAPABILITY, "Missing required client capability", REQUIRED, 400);
      tasks.set(task.taskId, task);
      return { resultType: "task", ...metadataOf(task) };
    }
    if (!["tasks/get", "tasks/update", "tasks/cancel"].includes(method)) {
      throw new RpcError(METHOD_NOT_FOUND, "Method not found", undefined, 404);
    }
    if (!declares) throw new RpcError(MISSING_CAPABILITY, "Missing required client capability", REQUIRED, 400);
    const task = tasks.get(String(params["taskId"]));
    if (task === undefined) throw new RpcError(INVALID_PARAMS, "Task not found");
    if (method === "tasks/get") return { resultType: "complete", ...metadataOf(task), ...payloadOf(task) };
    if (method === "tasks/update") {
      updates.push(params["inputResponses"]);
      answer(task, isJsonObject(params["inputResponses"]) ? params["inputResponses"] : {});
    } else if (task.status === "working" || task.status === "input_required") {
      task.status = "cancelled";
    }
    return { resultType: "complete" };
  }

  const served = await startHttpServer((request, response) => {
    const { id, method, params } = readRequest(request);
    methods.push(method);
    const refusal = refuse?.(method);
    if (refusal !== undefined) {
      const { status, retryAfter } = refusal;
      response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
      return;
    }
    try {
      assertHeaders(request, method, params);
      const honest = resultOf(method, params, declaresTasks(params));
      const result = change === undefined ? honest : change(method, honest);
      if (result !== undefined) sendJson(response, { jsonrpc: "2.0", id, result });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      sendError(response, id, error);
    }
    for (const wake of waiters) wake();
  });
  return {
    ...served,
    ...{ tasks, methods, updates },
    answered: (awaited, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (methods.filter((method) => method === awaited).length >= count) resolve();
        };
        waiters.push(look);
        look();
      }),
  };
}

/** Ends a task with a text. */
export function complete(task: ServedTask, text: string): void {
  task.status = "completed";
  // The specification's own examples have no `resultType` here.
  task.result = { content: [{ type: "text", text }], isError: false };
}

/** Makes a task ask for a colour, under a key that no other question of the task may have. */
export function askForColour(task: ServedTask, key = "colour"): void {
  task.status = "input_required";
  task.inputRequests[key] = {
    method: "elicitation/create",
    params: {
      ...{ mode: "form", message: "Which colour?" },
      requestedSchema: {
        type: "object",
        properties: { colour: { type: "string", enum: ["green", "blue"] } },
        required: ["colour"],
      },
    },
  };
}

class RpcError extends Error {
  readonly code: number;
  readonly data: object | undefined;
  readonly status: number;

  constructor(code: number, message: string, data?: object, status = 200) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

const REQUIRED = { requiredCapabilities: { extensions: { [TASKS]: {} } } };

function sendError(response: ServerResponse, id: unknown, { code, message, data, status }: RpcError): void {
  sendJson(response, { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } }, status);
}

function readRequest({ body }: Received): {
  readonly id: unknown;
  readonly method: string;
  readonly params: JsonObject;
} {
  const { id, method, params } = JSON.parse(body);
  return { id, method, params: params ?? {} };
}

/** The headers must repeat what the body says, so that a proxy can route a task to the server that has it. */
function assertHeaders({ headers }: Received, method: string, params: JsonObject): void {
  const name = method === "tools/call" ? params["name"] : params["taskId"];
  const isRight = headers["mcp-method"] === method && (name === undefined || headers["mcp-name"] === name);
  if (!isRight) throw new RpcError(HEADER_MISMATCH, "Header mismatch", undefined, 400);
}

function declaresTasks({ _meta: meta }: JsonObject): boolean {
  const capabilities = isJsonObject(meta) ? meta["io.modelcontextprotocol/clientCapabilities"] : undefined;
  const extensions = isJsonObject(capabilities) ? capabilities["extensions"] : undefined;
  return isJsonObject(extensions) && extensions[TASKS] !== undefined;
}

function answer(task: ServedTask, responses: JsonObject): void {
  for (const [key, response] of Object.entries(responses)) {
    if (!(key in task.inputRequests)) continue;
    delete task.inputRequests[key];
    task.answers[key] = response;
  }
  if (task.status === "input_required" && Object.keys(task.inputRequests).length === 0) task.status = "working";
}

function metadataOf({ taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }: ServedTask): JsonObject {
  const interval = pollIntervalMs === undefined ? {} : { pollIntervalMs };
  return { taskId, status, createdAt, lastUpdatedAt, ttlMs, ...interval };
}

function payloadOf({ status, result, error, inputRequests }: ServedTask): JsonObject {
  if (status === "completed") return JSON.parse(JSON.stringify({ result }));
  if (status === "failed") return JSON.parse(JSON.stringify({ error }));
  return status === "input_required" ? JSON.parse(JSON.stringify({ inputRequests })) : {};
}

function listed(names: readonly string[]): JsonObject {
  const toolList = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  return { resultType: "complete", ttlMs: 0, cacheScope: "private", tools: toolList };
}

function discovered(): JsonObject {
  return {
    ...{ resultType: "complete", ttlMs: 0, cacheScope: "private", supportedVersions: ["2026-07-28"] },
    capabilities: { tools: {}, extensions: { [TASKS]: {} } },
    serverInfo: { name: "tasks", version: "1" },
  };
}
