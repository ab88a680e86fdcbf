import type { CallAnswer } from "@yagate/execution-machine/call-outcome";
import { callbackTimesOf } from "@yagate/execution-machine/callback";
import type { CallState } from "@yagate/execution-machine/state";
import type { NewCallId } from "@yagate/lib/ids/call-ids";
import { defined } from "@yagate/lib/objects/defined";
import { type Attempt, type HandlerToolDefinition, type Redelivery, YagateError } from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, EventStore, ExecutionRow, RedeliveryStore } from "@yagate/store/port";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { ToolExecutor, ToolOutcome } from "../../tools/port.ts";
import { toolOfCall } from "../../tools/toolset/tool-of-call.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import { toToolCall } from "../run/to-tool-call.ts";
import type { Commands } from "../service/commands.ts";
import { assertRedeliverable, type HandlerTool, type RedeliveryTerms } from "./redelivery-checks.ts";

/** The signing secret of calls that are redelivered to another URL. */
export const REDELIVERY_SECRET = "redelivery";

const REMEMBERED =
  "The handler received the same toolCallId again. A handler that remembers the call, as the handler kit does, returns its earlier response without running the tool.";

export interface RedeliveryRequest extends RedeliveryTerms {
  readonly workspaceId: string;
  readonly toolCallId: string;
  /** Where the call is sent instead of the tool's handler. */
  readonly url: string | undefined;
  readonly recorder?: ChangeRecorder;
  readonly signal: AbortSignal;
}

export interface RedeliveryService {
  /**
   * Sends an ended call of a handler tool once more, rendered from its recorded arguments and the definition of its
   * version. The event log of the execution does not change.
   *
   * @throws YagateError `NOT_FOUND`; `CONFLICT` if the call cannot be sent again, or a write is not confirmed;
   *   `FORBIDDEN` if the key lacks a scope, or the workspace may not send calls to other URLs.
   */
  redeliver(request: RedeliveryRequest): Promise<Redelivery>;
}

export interface RedeliveryServiceOptions {
  readonly eventStore: Pick<EventStore, "findToolCall" | "find">;
  readonly store: RedeliveryStore;
  readonly commands: Pick<Commands, "stateOf">;
  readonly loadAgent: LoadAgent;
  /** Returns the executor that sends calls to a handler whose body says that they are redelivered. */
  readonly redeliveryExecutorOf: (tool: HandlerToolDefinition) => ToolExecutor;
  readonly hasSigningSecret: (workspaceId: string, name: string) => Promise<boolean>;
  readonly isDevelopment: (workspaceId: string) => Promise<boolean>;
  readonly newCallId: NewCallId;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** A redelivery, as the audit log shows it. */
const REDELIVERED: AuditSubject<{ readonly toolCallId: string; readonly attemptId: string; readonly url: string }> = {
  type: "tool_call",
  idOf: ({ toolCallId }) => toolCallId,
  show: ({ attemptId, url }) => ({ attemptId, url }),
};

export function createRedeliveryService(options: RedeliveryServiceOptions): RedeliveryService {
  const { eventStore, store, commands, loadAgent, newCallId, now } = options;

  async function find(workspaceId: string, toolCallId: string) {
    const found = await eventStore.findToolCall(toolCallId, workspaceId);
    const execution = found && (await eventStore.find(found.executionId, workspaceId));
    const state = execution && (await commands.stateOf(execution.id));
    const call = state?.turns.flatMap(({ calls }) => calls).find(({ id }) => id === toolCallId);
    if (execution === undefined || state === undefined || call === undefined) {
      throw new YagateError("NOT_FOUND", "no tool call with this id in this workspace");
    }
    return { execution, call, lastSeq: state.lastSeq };
  }

  async function assertMayRedirect(workspaceId: string): Promise<void> {
    if (!(await options.isDevelopment(workspaceId))) {
      throw new YagateError("FORBIDDEN", "only workspaces that are marked as development may redeliver calls to a URL");
    }
    if (await options.hasSigningSecret(workspaceId, REDELIVERY_SECRET)) return;
    const message = `create the signing secret ${REDELIVERY_SECRET} first: calls to another URL are signed with it`;
    throw new InvalidRequestError([{ path: "url", code: "SECRET_MISSING", message }], "CONFLICT", message);
  }

  function executorFor(tool: HandlerTool, url: string): ToolExecutor {
    const { handler, serveWith = (executor) => executor } = tool;
    return serveWith(options.redeliveryExecutorOf(redirected(handler, { url, signingSecret: REDELIVERY_SECRET })));
  }

  /** Sends the attempt. A request that has been sent is not cancelled when the client disconnects. */
  async function send(
    { execution, call }: { readonly execution: ExecutionRow; readonly call: CallState },
    { tool, url, attempt }: { readonly tool: HandlerTool; readonly url: string | undefined; readonly attempt: Attempt },
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const executor = url === undefined ? tool.executor : executorFor(tool, url);
    const { id: toolCallId, name, parameters, leakedSecrets, approval } = call;
    return executor.execute(
      toToolCall(execution, { toolCallId, name, parameters, leakedSecrets, attempt: attempt.number }),
      {
        deadline: now() + tool.timeoutMs,
        signal: new AbortController().signal,
        unsentSignal: signal,
        beforeSend: () => {},
        // What a person approved is a request to the tool's own handler.
        ...defined({ approvedHash: url === undefined ? approval?.requestHash : undefined }),
        ...defined({ callback: callbackTimesOf(call) }),
      },
    );
  }

  return {
    async redeliver({ workspaceId, toolCallId, url, recorder, signal, ...terms }) {
      const { execution, call, lastSeq } = await find(workspaceId, toolCallId);
      const { toolset } = await loadAgent(execution);
      const tool = assertRedeliverable(call, toolOfCall(toolset, call), terms);
      const withdrawn = await tool.withdrawal?.();
      if (withdrawn !== undefined) throw new YagateError("CONFLICT", withdrawn.message);
      if (url !== undefined) await assertMayRedirect(workspaceId);
      const earlier = await store.list(workspaceId, toolCallId);
      const number = Math.max(call.attempts.length, earlier.at(-1)?.attempt.number ?? 0) + 1;
      const at = now();
      const attempt: Attempt = {
        ...{ id: newCallId("attempt", execution.id, lastSeq + number), number, kind: "redelivery" },
        ...{ method: "POST", url: url ?? tool.handler.handler, startedAt: new Date(at).toISOString() },
        ...{ durationMs: null, timings: null, requestBytes: 0, responseBytes: 0 },
      };
      const row = { id: attempt.id, workspaceId, executionId: execution.id, toolCallId, at, attempt };
      const audit = recorder?.of(workspaceId, "tool_call.redelivered", REDELIVERED);
      // Before it is sent, so that no request leaves without a trace.
      await store.add(row, audit?.(null, { toolCallId, attemptId: attempt.id, url: attempt.url }));
      const outcome = await send({ execution, call }, { tool, url, attempt }, signal);
      const finished = finish(attempt, outcome);
      const { request = null, response = null } = outcome.exchange ?? {};
      // The request was sent, so a failure of the store must not look like a redelivery that can be repeated.
      await store.finish(attempt.id, finished, { request, response }).catch(options.onError);
      return {
        attempt: { ...finished, toolCallId, executionId: execution.id, request, response },
        ...toOutcome(outcome.answer),
        ...(url === undefined ? { notice: REMEMBERED } : {}),
      };
    },
  };
}

/** Returns the tool with another address. The headers of its author, which may contain secrets, stay behind. */
function redirected(
  { headers: _headers, ...tool }: HandlerToolDefinition,
  { url, signingSecret }: { readonly url: string; readonly signingSecret: string },
): HandlerToolDefinition {
  return { ...tool, handler: url, signingSecret };
}

function finish(attempt: Attempt, { answer, exchange }: ToolOutcome): Attempt {
  const failure = "failure" in answer ? answer.failure : undefined;
  return {
    ...attempt,
    durationMs: exchange?.durationMs ?? 0,
    timings: exchange?.timings ?? null,
    ...defined({ httpStatus: exchange?.httpStatus, errorCode: failure?.code, outcome: failure?.outcome }),
    requestBytes: exchange?.requestBytes ?? 0,
    responseBytes: exchange?.responseBytes ?? 0,
  };
}

function toOutcome(answer: CallAnswer): Pick<Redelivery, "status" | "result" | "error"> {
  if ("result" in answer) return { status: "completed", result: answer.result };
  if (!("failure" in answer)) return { status: "pending" };
  const { code, message, source } = answer.failure;
  return { status: "failed", error: { code, message, source } };
}
