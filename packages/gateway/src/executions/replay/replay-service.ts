import { isClosed } from "@yagate/execution-machine/state";
import type { TraceContext } from "@yagate/lib/http/trace-context";
import { defined } from "@yagate/lib/objects/defined";
import {
  type Execution,
  type ExecutionRequest,
  hasEnded,
  type KeyRouting,
  type Recording,
  YagateError,
} from "@yagate/protocol";
import type {
  AgentRow,
  AgentStore,
  AuditSubject,
  ChangeRecorder,
  EventEntry,
  EventStore,
  ExecutionRow,
} from "@yagate/store/port";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { buildRecording } from "../recording/build-recording.ts";
import { MAX_RECORDING_CHARACTERS } from "../recording/recording-checks.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import type { Commands } from "../service/commands.ts";
import type { ExecutionService } from "../service/execution-service.ts";
import { toExecution } from "../service/views.ts";
import { copyTurns } from "./copy-turns.ts";
import { possibleWrites } from "./possible-writes.ts";

export interface ReplayStart {
  readonly workspaceId: string;
  readonly executionId: string;
  /** The key that starts the replay, and its bounds. */
  readonly keyId: string | null;
  readonly keyRouting: KeyRouting | undefined;
  /** The first model turn that runs again, from 1. */
  readonly fromTurn: number;
  readonly toolMode: "recorded" | "live";
  /** Whether the caller confirms that tools may write again. */
  readonly isConfirmed: boolean;
  readonly recorder: ChangeRecorder;
  readonly trace?: TraceContext;
  readonly idempotency?: { readonly key: string; readonly bodyHash: string };
}

export interface ReplayService {
  /**
   * Starts a new execution of the same version of the agent, with the same input, caller and metadata. Model turns before
   * `fromTurn` are copied. If the idempotency key has already started a replay, returns it, even if no other could be
   * started.
   *
   * @throws YagateError `NOT_FOUND` if the workspace has no such execution or its agent was archived; `CONFLICT` if it has
   *   not ended, is too large, or tools may write without a confirmation; `INVALID_REQUEST` for an unknown model turn.
   */
  replay(start: ReplayStart): Promise<Execution>;
}

export interface ReplayServiceOptions {
  readonly eventStore: Pick<EventStore, "find" | "findKeyed" | "entries">;
  readonly agents: Pick<AgentStore, "find" | "findVersion">;
  readonly commands: Pick<Commands, "stateOf">;
  readonly executions: Pick<ExecutionService, "start">;
  readonly loadAgent: LoadAgent;
  /** Returns why an agent cannot start an execution; undefined if it can. */
  readonly startRefusal: (agent: AgentRow, request: ExecutionRequest) => YagateError | undefined;
  readonly now: () => number;
}

/** A replay, as the audit log shows it. */
const REPLAYED: AuditSubject<{ readonly id: string; readonly replayOf: string; readonly toolMode: string }> = {
  type: "execution",
  idOf: ({ id }) => id,
  show: ({ replayOf, toolMode }) => ({ replayOf, toolMode }),
};

/** What a secret mask does to a record that stays in its workspace. */
const UNMASKED = { text: (text: string) => text, json: <Value>(value: Value) => value };

export function createReplayService(options: ReplayServiceOptions): ReplayService {
  const { eventStore, agents, commands, executions, loadAgent, startRefusal, now } = options;

  async function originalOf(workspaceId: string, executionId: string): Promise<ExecutionRow> {
    const row = await eventStore.find(executionId, workspaceId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no execution with this id in this workspace");
    if (!hasEnded(row.status)) throw new YagateError("CONFLICT", "expected an execution that has ended");
    return row;
  }

  async function agentOf({ workspaceId, agentId, agentVersion }: ExecutionRow): Promise<AgentRow> {
    const current = await agents.find(workspaceId, agentId);
    const version = await agents.findVersion(agentId, agentVersion);
    if (current === undefined || version === undefined) {
      throw new YagateError("NOT_FOUND", "the agent of this execution no longer exists");
    }
    if (current.archivedAt !== null) {
      throw new YagateError(
        "NOT_FOUND",
        "the agent of this execution is archived, so none of its executions can run again",
      );
    }
    return { ...current, agent: version.agent };
  }

  return {
    async replay({ workspaceId, executionId, fromTurn, toolMode, isConfirmed, recorder, ...start }) {
      const { keyId, keyRouting, trace } = start;
      // The scope does not name the agent, because the key must be found even if the original has been deleted.
      const scope = `${workspaceId}/${keyId ?? "bootstrap"}/executions/${executionId}/replays`;
      const idempotency = start.idempotency && { ...start.idempotency, scope };
      const started = idempotency && (await eventStore.findKeyed(idempotency, now()));
      if (started !== undefined) return toExecution(started);
      const original = await originalOf(workspaceId, executionId);
      const { turns } = await commands.stateOf(executionId);
      assertTurn(fromTurn, turns.length);
      const found = await agentOf(original);
      if (toolMode === "live" && !isConfirmed) {
        // Without the execution's id, because a replay gets the tools that the agent's sources offer now.
        const { toolset } = await loadAgent({ agentId: original.agentId, agentVersion: original.agentVersion });
        const calls = turns.flatMap((turn) => turn.calls).filter(isClosed);
        const refusal = possibleWrites(toolset, { calls, fromTurn });
        if (refusal !== undefined) throw refusal;
      }
      const entries = await eventStore.entries(executionId, 0);
      const recording = toolMode === "recorded" ? recordingOf(original, entries) : undefined;
      const copied = copyTurns(entries, fromTurn);
      if (JSON.stringify([recording?.toolResults ?? [], copied]).length > MAX_RECORDING_CHARACTERS) {
        const most = `at most ${MAX_RECORDING_CHARACTERS} characters of JSON`;
        throw new YagateError("CONFLICT", `expected an execution whose copied turns and outcomes have ${most}`);
      }
      const request = toRequest(original, recording);
      const isModelAsked = recording === undefined || recording.modelTurns.length === 0;
      const { recording: _, ...asked } = request;
      const refusal = startRefusal(found, isModelAsked ? asked : request);
      if (refusal !== undefined) throw refusal;
      return executions.start({
        ...{ workspaceId, keyId, keyRouting, agent: found.agent, request, ...defined({ trace, idempotency }) },
        replay: { of: executionId, toolMode, turns: copied },
        auditOf: (id) =>
          recorder.of(workspaceId, "execution.replayed", REPLAYED)(null, { id, replayOf: executionId, toolMode }),
      });
    },
  };
}

function assertTurn(fromTurn: number, turns: number): void {
  if (fromTurn <= Math.max(1, turns)) return;
  const message = turns <= 1 ? "expected 1" : `expected a model turn of the execution, from 1 to ${turns}`;
  throw new InvalidRequestError([{ path: "fromTurn", code: "INVALID_VALUE", message }]);
}

/** Returns the outcomes of the calls, and the replies of the model if the execution did not ask it either. */
function recordingOf({ id, request }: ExecutionRow, entries: readonly EventEntry[]): Recording {
  const events = entries.map(({ event }) => event);
  const { toolResults } = buildRecording(id, events, UNMASKED);
  return { modelTurns: request.recording?.modelTurns ?? [], toolResults };
}

/** Returns the request of the replay. No caller of the original is there to supply fallbacks. */
function toRequest(
  { request: { fallback: _fallback, recording: _recording, ...request } }: ExecutionRow,
  recording: Recording | undefined,
): ExecutionRequest {
  return { ...request, ...defined({ recording }) };
}
