import { isArtifact } from "@yagate/execution-machine/result-tokens";
import type {
  ApprovalState,
  AttemptState,
  CallState,
  ExecutionState,
  InputState,
} from "@yagate/execution-machine/state";
import { artifactIdOf } from "@yagate/lib/artifacts/artifact-id";
import { defined } from "@yagate/lib/objects/defined";
import {
  type Attempt,
  type AttemptDetail,
  blockReasonOf,
  type Execution,
  isBlocked,
  type RecordedMessage,
  type ToolCallRecord,
} from "@yagate/protocol";
import type { ExecutionRow, ExecutionSummary } from "@yagate/store/port";

/** Returns an execution in the form of the API. */
export function toExecution(row: ExecutionRow): Execution {
  return {
    id: row.id,
    agentId: row.agentId,
    agentVersion: row.agentVersion,
    status: row.status,
    stopReason: row.stopReason,
    input: row.request.input,
    output: toOutput(row.output),
    error: row.error,
    usage: row.usage,
    cost: row.cost,
    metadata: row.request.metadata ?? {},
    ...defined({ routing: row.request.routing }),
    createdAt: new Date(row.createdAt).toISOString(),
    startedAt: toTimestamp(row.startedAt),
    finishedAt: toTimestamp(row.finishedAt),
    mode: row.mode ?? "live",
    ...defined({ replayOf: row.replay?.of, copiedTurns: row.replay?.turns.length || undefined }),
  };
}

/** Returns all tool calls of an execution, in the order in which the model requested them. */
export function toToolCallRecords(state: ExecutionState): readonly ToolCallRecord[] {
  return state.turns.flatMap((turn) => turn.calls).map((call) => toToolCallRecord(state.executionId, call));
}

function toToolCallRecord(executionId: string, call: CallState): ToolCallRecord {
  return {
    id: call.id,
    executionId,
    turn: call.turn,
    name: call.name,
    kind: call.kind,
    parameters: call.parameters,
    status: call.status,
    ...defined({ via: call.via, result: call.result }),
    ...(isArtifact(call) ? { artifactId: artifactIdOf(call.id) } : {}),
    ...(call.error === null ? {} : { error: call.error }),
    risk: call.risk,
    policyDecision: call.policyDecision,
    ...defined({
      capability: call.capability,
      triedCapabilities: call.triedCapabilities && [...call.triedCapabilities],
    }),
    ...(call.isUntrusted ? { isUntrusted: true } : {}),
    ...(call.approval === null ? {} : { approval: toApprovalRecord(call.approval) }),
    ...(call.task === null
      ? {}
      : { task: { id: call.task.id, expiresAt: new Date(call.task.expiresAt).toISOString() } }),
    ...(call.input === null || call.input.questions.length === 0 ? {} : { input: toInputRecord(call.input) }),
    cost: call.cost,
    ...(call.modelCalls.length === 0 ? {} : { modelCalls: [...call.modelCalls] }),
    ...toBlock(call),
    ...(call.status !== "waiting_callback" || call.callbackUntil === null
      ? {}
      : { callbackUntil: new Date(call.callbackUntil).toISOString() }),
    ...(call.fallbackUntil === null ? {} : { fallbackUntil: new Date(call.fallbackUntil).toISOString() }),
    requestedAt: call.requestedAt,
    finishedAt: call.finishedAt,
    attempts: call.attempts.map(toAttempt),
  };
}

/**
 * Returns the fields of a blocked call. Such a call was never sent, because a rule of the gateway, the policy or an
 * approver prevented it.
 */
function toBlock({ status, error }: CallState): Pick<ToolCallRecord, "blocked" | "blockReason"> {
  if (status === "denied") return { blocked: true, blockReason: blockReasonOf(error?.code ?? "POLICY_DENIED") };
  if (status !== "failed" || error === null || !isBlocked(error)) return {};
  return { blocked: true, blockReason: blockReasonOf(error.code) };
}

function toApprovalRecord(approval: ApprovalState): ToolCallRecord["approval"] {
  const { id, status, expiresAt, resolution, requestedParameters } = approval;
  return {
    id,
    status,
    expiresAt: new Date(expiresAt).toISOString(),
    resolution,
    ...defined({ requestedParameters }),
  };
}

function toInputRecord({ round, status, questions, expiresAt }: InputState): ToolCallRecord["input"] {
  return { round, status, questions: [...questions], expiresAt: new Date(expiresAt).toISOString() };
}

function toAttempt(attempt: AttemptState): Attempt {
  const { isFinished: _isFinished, isInterrupted: _isInterrupted, ...shown } = attempt;
  return shown;
}

/** Returns an attempt with its request and response. */
export function toAttemptDetail(
  state: ExecutionState,
  found: {
    readonly request: RecordedMessage | null;
    readonly response: RecordedMessage | null;
  },
  attemptId: string,
): AttemptDetail | undefined {
  const { request, response } = found;
  for (const { id: toolCallId, attempts } of state.turns.flatMap(({ calls }) => calls)) {
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (attempt === undefined) continue;
    return { ...toAttempt(attempt), toolCallId, executionId: state.executionId, request, response };
  }
  return undefined;
}

function toOutput(output: ExecutionRow["output"]): Execution["output"] {
  if (output === null) return null;
  const { text, sources, citations } = output;
  return { text, ...defined({ sources: sources && [...sources], citations: citations && [...citations] }) };
}

function toTimestamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Returns the part of a state that is stored in the execution's row. */
export function toSummary(state: ExecutionState): ExecutionSummary {
  const { status, stopReason, output, error, usage, cost } = state;
  return {
    status,
    stopReason,
    output,
    error,
    usage,
    cost,
    startedAt: state.startedAt === null ? null : Date.parse(state.startedAt),
    finishedAt: state.finishedAt === null ? null : Date.parse(state.finishedAt),
  };
}
