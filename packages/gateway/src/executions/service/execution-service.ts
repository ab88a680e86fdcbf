import type { ExecutionState } from "@yagate/execution-machine/state";
import type { TraceContext } from "@yagate/lib/http/trace-context";
import { defined } from "@yagate/lib/objects/defined";
import {
  type Agent,
  type AttemptDetail,
  type Execution,
  type ExecutionRequest,
  FINAL_EVENT_TYPES,
  hasEnded,
  type JsonValue,
  type KeyRouting,
  type Page,
  type PageQuery,
  type ToolCallRecord,
  YagateError,
} from "@yagate/protocol";
import { effectiveRouting } from "@yagate/routing/effective-routing";
import type {
  AuditRow,
  AuditSubject,
  ChangeRecorder,
  EventStore,
  ExecutionFilter,
  ExecutionRow,
  ExecutionSummary,
  Replay,
} from "@yagate/store/port";
import type { Lease } from "../../scheduler/lease.ts";
import type { Scheduler } from "../../scheduler/port.ts";
import { withLateResponses } from "../run/late-responses.ts";
import type { EncodedEvent } from "../streams/event-cache.ts";
import { follow } from "../streams/follow.ts";
import { SharedEvents } from "../streams/shared-events.ts";
import type { TextDeltas } from "../streams/text-deltas.ts";
import type { Commands } from "./commands.ts";
import { createUnlessRefused, hasNothingToCheck } from "./start-refusal.ts";
import { toAttemptDetail, toExecution, toToolCallRecords } from "./views.ts";

/** The start of an execution: the caller, the agent and the request. */
export interface ExecutionStart {
  readonly workspaceId: string;
  readonly keyId: string | null;
  readonly agent: Agent;
  readonly request: ExecutionRequest;
  /** How the execution replays another one; absent if it replays none. */
  readonly replay?: Replay;
  /** Returns the audit log entry of the start; absent if it is not in the log. */
  readonly auditOf?: (executionId: string) => AuditRow | undefined;
  /** The bounds of the API key for the routing of the execution; undefined if it has none. */
  readonly keyRouting: KeyRouting | undefined;
  /** The trace that the execution belongs to; absent if there is none. */
  readonly trace?: TraceContext;
  /** By default, the scope of the idempotency key is its API key and the agent. */
  readonly idempotency?: { readonly key: string; readonly bodyHash: string; readonly scope?: string };
  /**
   * The reason why no new execution may be started; an execution that was already started with the idempotency key is
   * still returned.
   */
  readonly refusal?: YagateError;
}

/** The executions of a workspace, as the API offers them. Every method sees one workspace only. */
export interface ExecutionService {
  /**
   * Starts an execution, or returns the one that was started with the same idempotency key.
   *
   * @throws YagateError `CONFLICT` if the idempotency key was used with a different body.
   */
  start(start: ExecutionStart): Promise<Execution>;
  /**
   * Starts an execution like `start`. Resolves when the execution has ended, or after `waitMs` with its state at that
   * time.
   */
  startAndWait(start: ExecutionStart, waitMs: number, signal: AbortSignal): Promise<Execution>;
  /**
   * Starts an execution like `start` and returns its events too, so that a caller that starts and follows in one
   * request misses none.
   *
   * @param afterSeq - number of the last event that the reader has seen; a reader may reconnect with the same
   *   idempotency key.
   */
  startAndFollow(
    start: ExecutionStart,
    afterSeq: number,
    signal: AbortSignal,
  ): Promise<{ readonly execution: Execution; readonly events: AsyncGenerator<EncodedEvent, void, void> }>;
  /**
   * Returns an execution.
   *
   * @param startedBy - if given, executions that another key or subject started count as missing.
   * @throws YagateError `NOT_FOUND` if the workspace has no such execution. All methods below do the same.
   */
  get(workspaceId: string, executionId: string, startedBy?: string): Promise<Execution>;
  list(workspaceId: string, page: PageQuery, filter?: ExecutionFilter): Promise<Page<Execution>>;
  /** Requests the cancellation of an execution. An execution that has ended is returned unchanged. */
  cancel(workspaceId: string, executionId: string, recorder?: ChangeRecorder): Promise<Execution>;
  /**
   * Returns the events of an execution as they are recorded.
   *
   * @param afterSeq - number of the last event that the reader has seen.
   */
  follow(
    workspaceId: string,
    executionId: string,
    afterSeq: number,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<EncodedEvent, void, void>>;
  toolCalls(workspaceId: string, executionId: string): Promise<readonly ToolCallRecord[]>;
  toolCall(workspaceId: string, toolCallId: string): Promise<ToolCallRecord>;
  attempt(workspaceId: string, attemptId: string): Promise<AttemptDetail>;
  /**
   * Supplies a fallback for a failed call.
   *
   * @throws YagateError `CONFLICT` if the call is not waiting for a fallback; `FORBIDDEN` if another key started the
   *   execution.
   */
  answerFallback(request: {
    readonly workspaceId: string;
    readonly keyId: string | null;
    /** Whether the key may supply fallbacks for executions that other keys started. */
    readonly mayAnswerForOthers: boolean;
    readonly toolCallId: string;
    readonly fallback: { readonly result: JsonValue } | "decline";
  }): Promise<ToolCallRecord>;
}

export interface ExecutionServiceOptions {
  readonly eventStore: EventStore;
  readonly scheduler: Scheduler;
  readonly lease: Lease;
  readonly deltas: TextDeltas;
  readonly commands: Commands;
  /**
   * Checks the intents to which a request narrows the execution; default: they are not checked.
   * @throws InvalidRequestError for unknown ones.
   */
  readonly assertIntents?: (workspaceId: string, intents: readonly string[] | undefined) => Promise<void>;
  readonly now: () => number;
  readonly newExecutionId: () => string;
}

/** Time that an idempotency key is kept, in ms. */
const IDEMPOTENCY_MS = 86_400_000;

/** Describes a cancelled execution for the audit log, without its input and output. */
const CANCEL_SUBJECT: AuditSubject<ExecutionRow & { readonly isCancelRequested?: boolean }> = {
  type: "execution",
  idOf: ({ id }) => id,
  show: ({ id, agentId, agentVersion, status, isCancelRequested = false }) => ({
    ...{ id, agentId, agentVersion, status, isCancelRequested },
  }),
};

export function createExecutionService(options: ExecutionServiceOptions): ExecutionService {
  const { eventStore, scheduler, lease, deltas, commands, assertIntents, now } = options;
  const events = new SharedEvents({ eventStore });

  async function rowOf(workspaceId: string, executionId: string): Promise<ExecutionRow> {
    const row = await eventStore.find(executionId, workspaceId);
    if (row === undefined) throw noSuchExecution();
    return row;
  }

  /** Returns the state for readers of the record, which includes the responses that arrived after the end. */
  async function recordedState(executionId: string): Promise<ExecutionState> {
    return withLateResponses(await commands.stateOf(executionId), eventStore);
  }

  async function toolCallExecution(workspaceId: string, toolCallId: string): Promise<ExecutionRow> {
    const found = await eventStore.findToolCall(toolCallId, workspaceId);
    if (found === undefined) throw new YagateError("NOT_FOUND", "no tool call with this id in this workspace");
    return rowOf(workspaceId, found.executionId);
  }

  function create(start: ExecutionStart) {
    return hasNothingToCheck(start) ? createOrFind(start) : createUnlessRefused(start, assertIntents, createOrFind);
  }

  /**
   * Creates an execution, or finds the one with the same idempotency key.
   *
   * @param maxPending - if 0, no execution is created; only an existing one is found.
   */
  async function createOrFind(
    { workspaceId, keyId, agent, request, replay, auditOf, keyRouting, trace, idempotency }: ExecutionStart,
    maxPending?: 0,
  ) {
    await lease.held();
    const createdAt = now();
    const id = options.newExecutionId();
    return eventStore.create({
      id,
      workspaceId,
      agentId: agent.id,
      agentVersion: agent.version,
      startedByKeyId: keyId,
      request: withinBounds(request, keyRouting, agent),
      ...defined({ trace, replay, mode: modeOf({ agent, request }), audit: auditOf?.(id) }),
      createdAt,
      owner: lease.owner,
      leaseUntil: lease.leaseUntil(),
      ...defined({ maxPending }),
      ...(idempotency === undefined
        ? {}
        : {
            idempotency: {
              scope: `${workspaceId}/${keyId ?? "bootstrap"}/agents/${agent.id}/executions`,
              ...idempotency,
              expiresAt: createdAt + IDEMPOTENCY_MS,
            },
          }),
    });
  }

  return {
    async start(start) {
      const { execution, isNew } = await create(start);
      if (isNew) scheduler.submit(execution);
      return toExecution(execution);
    },
    async startAndWait(start, waitMs, signal) {
      const { execution, isNew } = await create(start);
      // The subscription precedes the start of the run and the second read of the row, so that the end can't be missed
      // in between.
      const end = subscribeToEnd(eventStore, execution.id, waitMs, signal);
      try {
        if (isNew) scheduler.submit(execution);
        const known = isNew ? execution : await rowOf(start.workspaceId, execution.id);
        if (hasEnded(known.status)) return toExecution(known);
        const summary = await end.summary;
        return toExecution(
          summary === undefined ? await rowOf(start.workspaceId, execution.id) : { ...known, ...summary },
        );
      } finally {
        end.stop();
      }
    },
    async startAndFollow(start, afterSeq, signal) {
      const { execution, isNew } = await create(start);
      // The subscription precedes the start of the run, because models stream only if there are subscribers when they
      // start.
      const lastSeen = Math.min(afterSeq, execution.lastSeq);
      const subject = { workspaceId: start.workspaceId, executionId: execution.id };
      const followed = startReading(
        follow({ eventStore, events, deltas }, subject, lastSeen, signal, execution.lastSeq),
      );
      if (isNew) scheduler.submit(execution);
      return { execution: toExecution(execution), events: followed };
    },
    async get(workspaceId, executionId, startedBy) {
      const row = await rowOf(workspaceId, executionId);
      if (startedBy !== undefined && row.startedByKeyId !== startedBy) throw noSuchExecution();
      return toExecution(row);
    },
    async list(workspaceId, page, filter) {
      const { data, nextCursor } = await eventStore.list(workspaceId, page, filter);
      return { data: data.map(toExecution), nextCursor };
    },
    async cancel(workspaceId, executionId, recorder) {
      const row = await rowOf(workspaceId, executionId);
      const audit = recorder?.of(
        workspaceId,
        "execution.cancelled",
        CANCEL_SUBJECT,
      )(row, { ...row, isCancelRequested: true });
      if (!hasEnded(row.status)) await commands.apply(executionId, { type: "cancel" }, audit);
      return toExecution(await rowOf(workspaceId, executionId));
    },
    async follow(workspaceId, executionId, afterSeq, signal) {
      const subject = { workspaceId, executionId };
      const lastSeq = await events.lastSeqOf(subject, signal);
      if (lastSeq === "none") throw noSuchExecution();
      // Undefined means that the reader has left and will read nothing.
      const knownSeq = lastSeq ?? 0;
      return follow({ eventStore, events, deltas }, subject, Math.min(afterSeq, knownSeq), signal, knownSeq);
    },
    async toolCalls(workspaceId, executionId) {
      await rowOf(workspaceId, executionId);
      return toToolCallRecords(await recordedState(executionId));
    },
    async toolCall(workspaceId, toolCallId) {
      const row = await toolCallExecution(workspaceId, toolCallId);
      return recordOf(await recordedState(row.id), toolCallId);
    },
    async attempt(workspaceId, attemptId) {
      const found = await eventStore.findAttempt(attemptId, workspaceId);
      const detail =
        found === undefined ? undefined : toAttemptDetail(await recordedState(found.executionId), found, attemptId);
      if (detail === undefined) throw new YagateError("NOT_FOUND", "no attempt with this id in this workspace");
      return detail;
    },
    async answerFallback({ workspaceId, keyId, mayAnswerForOthers, toolCallId, fallback }) {
      const row = await toolCallExecution(workspaceId, toolCallId);
      if (row.startedByKeyId !== keyId && !mayAnswerForOthers) {
        throw new YagateError(
          "FORBIDDEN",
          "expected the key that started the execution, or one with the scope fallback",
        );
      }
      const step = await commands.apply(row.id, { type: "fallback", toolCallId, fallback });
      const record = recordOf(step.state, toolCallId);
      if (step.events.length === 0) {
        throw new YagateError("CONFLICT", "this call is not waiting for a fallback, or the time for it has passed");
      }
      return record;
    },
  };
}

/** Nothing leaves the gateway if all calls are recorded, and the replies of the model are recorded or scripted. */
function modeOf({ agent, request: { recording } }: Pick<ExecutionStart, "agent" | "request">): "recorded" | undefined {
  if (recording === undefined) return undefined;
  return recording.modelTurns.length > 0 || agent.model.startsWith("scripted/") ? "recorded" : undefined;
}

/** Returns the request with the routing that the API key allows, which is stored with the execution. */
function withinBounds(
  request: ExecutionRequest,
  key: KeyRouting | undefined,
  agent: Pick<Agent, "routing">,
): ExecutionRequest {
  const { routing: asked, scopes, ...rest } = request;
  const routing = effectiveRouting({ request: asked, scopes, key, agent: agent.routing });
  return { ...rest, ...defined({ scopes, routing }) };
}

function noSuchExecution(): YagateError {
  return new YagateError("NOT_FOUND", "no execution with this id in this workspace");
}

function recordOf(state: ExecutionState, toolCallId: string): ToolCallRecord {
  const record = toToolCallRecords(state).find(({ id }) => id === toolCallId);
  if (record === undefined) throw new YagateError("NOT_FOUND", "no tool call with this id in this workspace");
  return record;
}

/** Starts a generator immediately instead of when its first value is requested. */
function startReading<Value>(values: AsyncGenerator<Value, void, void>): AsyncGenerator<Value, void, void> {
  const first = values.next();
  // The reader gets the error later. Until then, it must not count as an unhandled rejection.
  first.catch(() => {});
  return readOn(first, values);
}

async function* readOn<Value>(
  first: Promise<IteratorResult<Value, void>>,
  values: AsyncGenerator<Value, void, void>,
): AsyncGenerator<Value, void, void> {
  try {
    const { done, value } = await first;
    if (done === true) return;
    yield value;
    yield* values;
  } finally {
    await values.return();
  }
}

/** A subscription to the end of an execution. */
interface EndSubscription {
  /** The summary at the end; undefined if the execution did not end in time or the reader has left. */
  readonly summary: Promise<ExecutionSummary | undefined>;
  stop(): void;
}

/**
 * Subscribes to the end of an execution. Other events are ignored.
 *
 * @param waitMs - maximum time to wait, in ms; at least 0.
 */
function subscribeToEnd(
  eventStore: Pick<EventStore, "subscribe">,
  executionId: string,
  waitMs: number,
  signal: AbortSignal,
): EndSubscription {
  let stop = () => {};
  const summary = new Promise<ExecutionSummary | undefined>((resolve) => {
    const giveUp = () => resolve(undefined);
    const timer = setTimeout(giveUp, waitMs);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
    const unsubscribe = eventStore.subscribe(executionId, (entries, summaryNow) => {
      if (FINAL_EVENT_TYPES.has(entries.at(-1)?.event.type ?? "")) resolve(summaryNow);
    });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      unsubscribe();
    };
  });
  return { summary, stop };
}
