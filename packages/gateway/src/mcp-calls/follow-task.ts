import { gatewayFailure } from "@yagate/calls/failure";
import type { TaskProgress, TaskRequest, ToolExecutor } from "@yagate/calls/port";
import type { Failure, TaskOutcome } from "@yagate/execution-machine/call-outcome";
import { toAbortSignal } from "@yagate/lib/async/cancellation";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { McpCallError } from "@yagate/mcp/client/call-error";
import type { CallRequestFacts, McpEndpoint, McpTaskState, McpTaskTimes } from "@yagate/mcp/client/port";
import { answerMcpTask, cancelMcpTask, type McpTaskRequest, readMcpTask } from "@yagate/mcp/client/tasks";
import { type ErrorCode, MAX_INPUT_ROUNDS, YagateError } from "@yagate/protocol";
import { pollInterval } from "./created-task.ts";
import { mcpFailure } from "./mcp-failure.ts";
import type { McpServices, McpTool } from "./port.ts";
import { createReadResult } from "./read-result.ts";
import { type ReadRequirement, readRequirement } from "./required-input.ts";

/** Maximum time of a request that polls a task, in ms. Its response may contain the result of the call. */
const REQUEST_MS = 30_000;
/** Maximum time of a request that cancels a task, in ms. An execution that is cancelled waits for it. */
const CANCEL_MS = 5_000;
/** Minimum delay after a failed poll, in ms, unless the server sets the time of the next one. */
const FAILURE_DELAY_MS = 30_000;
/** The HTTP statuses whose `Retry-After` sets the time of the next poll. */
const BUSY: ReadonlySet<number | undefined> = new Set([429, 503]);

/** Failures after which the call can have no result. After any other failure, the gateway polls again. */
const FINAL: ReadonlySet<ErrorCode> = new Set(["INVALID_RESPONSE", "RESPONSE_TOO_LARGE", "INPUT_REFUSED"]);
/** JSON-RPC errors with which a server rejects a call before it runs the tool. */
const REJECTIONS: ReadonlySet<number | undefined> = new Set([-32_601, -32_602]);

/** A poll that can be sent. */
interface OpenedTask {
  readonly task: TaskRequest;
  readonly endpoint: McpEndpoint;
  readonly request: McpTaskRequest & { readonly facts: CallRequestFacts };
  /** Returns the redaction of a response that has arrived: a token may have been renewed for the request. */
  readonly redactionNow: () => Redaction;
  readonly workspaceId: string;
}

/** Creates the function that polls the tasks in which a server continues the calls of a tool. */
export function createFollowTask(tool: McpTool, services: McpServices): NonNullable<ToolExecutor["followTask"]> {
  const { server, source } = tool;
  const { now } = services;
  const host = hostNameOf(new URL(server.url));
  const readResult = createReadResult(tool, services);

  async function open(
    workspaceId: string,
    task: TaskRequest,
    signal: AbortSignal,
    beforeSend: () => void,
  ): Promise<OpenedTask | undefined> {
    const opened = await services.openEndpoint({ workspaceId, sourceId: source.id }, server);
    if ("failure" in opened) return undefined;
    const { endpoint, eraKey, valuesToRedact } = opened;
    const verdict = await services.verdicts.find(eraKey);
    const maxResponseBytes = await services.limits.responseBytes({ workspaceId, host, integrations: "all" });
    const timeoutMs = task.step === "cancel" ? CANCEL_MS : REQUEST_MS;
    const request = { taskId: task.id, verdict, timeoutMs, maxResponseBytes, signal, beforeSend, facts: {} };
    return { task, endpoint, request, redactionNow: () => createRedaction(valuesToRedact), workspaceId };
  }

  /** Polls a task once. Returns undefined if the task has expired. */
  async function progressOf(opened: OpenedTask): Promise<TaskProgress | undefined> {
    const { task, endpoint, request, redactionNow, workspaceId } = opened;
    const state = await readMcpTask(endpoint, request);
    switch (state.status) {
      case "working":
        if (task.answers !== undefined) return { outcome: { deliveredRound: task.answers.round } };
        return nextRequest(task, now(), state);
      case "input_required": {
        if (task.answers !== undefined) return deliver(opened, task.answers, state);
        const questions = state.questions.filter(({ key }) => !task.askedKeys.includes(key));
        if (questions.length === 0 || task.openQuestion !== undefined) return nextRequest(task, now(), state);
        if (task.mayAsk) return { outcome: questionsOf(readRequirement({ questions }, redactionNow())) };
        await cancelQuietly(opened);
        return { outcome: { failure: TOO_MANY_ROUNDS } };
      }
      case "completed": {
        const { signal } = request;
        return { outcome: (await readResult(state.result, redactionNow(), { workspaceId, signal })).answer };
      }
      default:
        return { outcome: { failure: failureOf(state) } };
    }
  }

  return async ({ workspaceId }, task, { signal, beforeSend }) => {
    let opened: OpenedTask | undefined;
    try {
      opened = await open(workspaceId, task, toAbortSignal(signal), beforeSend);
      if (task.step === "cancel") {
        if (opened !== undefined) await cancelQuietly(opened);
        return CANCELLED;
      }
      // A person may restore the credential while the task is running.
      const progress = opened === undefined ? nextTry(task, undefined, now()) : await progressOf(opened);
      if (progress !== undefined) return progress;
    } catch (error) {
      const isFinal = error instanceof McpCallError && FINAL.has(error.code);
      if (isFinal) {
        if (opened !== undefined) await cancelQuietly(opened);
        // Whatever is wrong with the response, the task has begun.
        return { outcome: { failure: { ...mcpFailure(error, {}, now()), outcome: "unknown" } } };
      }
      // The gateway's own store says nothing about the task.
      if (!(error instanceof McpCallError) && !isUnavailable(error)) throw error;
      if (task.step === "cancel") return CANCELLED;
      const progress = nextTry(task, opened?.request.facts, now());
      if (progress !== undefined) return progress;
    }
    if (opened !== undefined) await cancelQuietly(opened);
    return { outcome: { failure: OVERDUE } };
  };
}

const CANCELLED: TaskProgress = { outcome: { isCancelled: true } };

function isUnavailable(error: unknown): boolean {
  return YagateError.is(error) && error.code === "UNAVAILABLE";
}

/** Sends the answers to those questions that the server still asks. */
async function deliver(
  { endpoint, request }: OpenedTask,
  { round, byKey }: NonNullable<TaskRequest["answers"]>,
  { questions }: Extract<McpTaskState, { status: "input_required" }>,
): Promise<TaskProgress> {
  const open = new Set(questions.map(({ key }) => key));
  const answers = Object.fromEntries(Object.entries(byKey).filter(([key]) => open.has(key)));
  const isKnown = open.size === 0 || (await answerMcpTask(endpoint, { ...request, answers }));
  return { outcome: isKnown ? { deliveredRound: round } : { failure: UNKNOWN_TASK } };
}

/** Asks the server to cancel a task. Whether it does is its decision, so nothing depends on its response. */
async function cancelQuietly({ endpoint, request }: OpenedTask): Promise<void> {
  try {
    await cancelMcpTask(endpoint, { ...request, timeoutMs: CANCEL_MS });
  } catch (error) {
    if (!(error instanceof McpCallError)) throw error;
  }
}

function nextRequest(
  task: TaskRequest,
  now: number,
  { ttlMs, pollIntervalMs }: McpTaskTimes,
): TaskProgress | undefined {
  return within(task, ttlMs, now, pollIntervalMs === undefined ? task.pollIntervalMs : pollInterval(pollIntervalMs));
}

/**
 * Plans the next request after one without a usable response.
 *
 * @param facts - undefined if nothing could be sent.
 */
function nextTry(task: TaskRequest, facts: CallRequestFacts | undefined, now: number): TaskProgress | undefined {
  const wanted = BUSY.has(facts?.status) ? parseRetryAfter(facts?.retryAfter, now) : undefined;
  const delayMs = wanted === undefined ? FAILURE_DELAY_MS : pollInterval(wanted);
  return within(task, task.ttlMs, now, Math.max(task.pollIntervalMs, delayMs));
}

/** Schedules the next poll before the task expires. Returns undefined if the task has expired. */
function within(
  { createdAt, expiresAt, openQuestion }: TaskRequest,
  ttlMs: number | null,
  now: number,
  wantedMs: number,
): TaskProgress | undefined {
  const delayMs = Math.max(wantedMs, openQuestion?.leastDelayMs ?? 0);
  const endAt = Math.min(expiresAt, ttlMs === null ? Infinity : createdAt + ttlMs);
  return now < endAt ? { nextAt: Math.min(now + delayMs, endAt) } : undefined;
}

function questionsOf({ answer }: ReadRequirement): TaskOutcome {
  return "failure" in answer ? answer : { questions: answer.inputRequired.questions };
}

function failureOf(state: Extract<McpTaskState, { status: "failed" | "cancelled" | "unknown" }>): Failure {
  if (state.status === "unknown") return UNKNOWN_TASK;
  if (state.status === "cancelled") return ended("the MCP server cancelled the task of the call");
  if (REJECTIONS.has(state.code)) return REJECTED;
  return ended(
    `the task of the call failed at the MCP server, with the JSON-RPC error ${state.code ?? "without a code"}`,
  );
}

const unknown = { outcome: "unknown", isRetryable: false } as const;
const ended = (message: string) => gatewayFailure("HANDLER_ERROR", message, unknown);
const UNKNOWN_TASK = gatewayFailure("OUTCOME_UNKNOWN", "the MCP server no longer knows the task of the call", unknown);
const OVERDUE = gatewayFailure("TIMEOUT", "the task of the call expired at the MCP server before it ended", unknown);
const REJECTED = gatewayFailure(
  "UNKNOWN_TOOL",
  "the MCP server does not know the tool, or does not accept its arguments",
  { outcome: "none" },
);
const TOO_MANY_ROUNDS = gatewayFailure(
  "INPUT_REFUSED",
  `the tool required input in more than ${MAX_INPUT_ROUNDS} rounds`,
  unknown,
);
