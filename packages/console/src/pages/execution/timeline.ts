import type { ReceivedEvent } from "@yagate/protocol";
import type { StatusKind } from "../../parts/status-kind.ts";

/** What happened in one attempt, in ms from its start. */
export interface Phases {
  readonly dns: number;
  readonly connect: number;
  readonly tls: number;
  readonly firstByte: number;
}

/** A row of the timeline. Times are in ms since the epoch; `to` is undefined until the row ends. */
export type TimelineRow = {
  /** Stays the same until the execution ends. */
  readonly key: string;
  readonly level: 1 | 2 | 3;
  readonly kind: StatusKind;
  readonly from: number;
  readonly to: number | undefined;
  /** Where the row stands in the bracket around the calls of a turn, which run at the same time. */
  readonly bracket?: "first" | "through" | "last";
} & (
  | {
      readonly type: "turn";
      readonly turn: number;
      readonly text: string;
      readonly model: string;
      /** Whether it is copied from the execution that this one replays. */
      readonly isCopied: boolean;
    }
  | {
      readonly type: "call";
      readonly toolCallId: string;
      readonly name: string;
      readonly parameters: unknown;
      readonly result: unknown;
      readonly errorCode: string | undefined;
      readonly isUntrusted: boolean;
    }
  | {
      readonly type: "attempt";
      readonly attemptId: string;
      readonly toolCallId: string;
      readonly number: number;
      readonly httpStatus: number | undefined;
      readonly errorCode: string | undefined;
      readonly bytes: number | undefined;
      readonly phases: Phases | undefined;
    }
  | { readonly type: "wait"; readonly reason: WaitReason; readonly text: string; readonly approvalId?: string }
  | {
      readonly type: "note";
      readonly text: string;
      readonly code?: string;
      /** The number of the event with a route decision; the panel shows all of it. */
      readonly routeSeq?: number;
    }
);

export type WaitReason = "retry" | "approval" | "callback" | "fallback" | "input" | "task";

type Mutable<Row> = { -readonly [Key in keyof Row]: Row[Key] };
type Row<Type extends TimelineRow["type"]> = Mutable<Extract<TimelineRow, { type: Type }>>;

interface Turn {
  readonly row: Row<"turn">;
  readonly calls: { readonly row: Row<"call">; readonly rows: TimelineRow[] }[];
  readonly notes: TimelineRow[];
}

const at = (text: string) => Date.parse(text);

function statusOfError(code: string): StatusKind {
  return code === "DENIED" || code.includes("DENIED") || code.startsWith("APPROVAL") ? "denied" : "failed";
}

function nameOfKey(keyId: string | null): string {
  return keyId ?? "the bootstrap key";
}

/**
 * Builds the rows of the timeline: turn → call → attempt, with waits and decisions in line.
 *
 * @param copiedTurns - the number of turns at the start that are copied from another execution.
 */
export function buildTimeline(events: readonly ReceivedEvent[], copiedTurns = 0): readonly TimelineRow[] {
  const turns: Turn[] = [];
  const calls = new Map<string, Turn["calls"][number]>();
  const attempts = new Map<string, Row<"attempt">>();
  const waits = new Map<string, Row<"wait">>();
  const ends: TimelineRow[] = [];
  // A route is decided before its turn starts.
  let decisions: TimelineRow[] = [];

  const endWait = (key: string, time: number, kind: StatusKind = "ok", text?: string) => {
    const wait = waits.get(key);
    if (wait === undefined) return;
    wait.to = time;
    wait.kind = kind;
    if (text !== undefined) wait.text = text;
    waits.delete(key);
  };
  const startWait = (toolCallId: string, key: string, wait: Omit<Row<"wait">, "key" | "level" | "type" | "to">) => {
    const row: Row<"wait"> = { ...wait, type: "wait", key, level: 3, to: undefined };
    waits.set(key, row);
    calls.get(toolCallId)?.rows.push(row);
  };
  const setCall = (toolCallId: string, kind: StatusKind) => {
    const call = calls.get(toolCallId);
    if (call !== undefined) call.row.kind = kind;
  };
  const endCall = (toolCallId: string, time: number, kind: StatusKind, change: Partial<Row<"call">> = {}) => {
    const call = calls.get(toolCallId);
    if (call === undefined) return;
    Object.assign(call.row, { to: time, kind, ...change });
    for (const row of call.rows) if (row.type === "wait" && row.to === undefined) endWait(row.key, time);
  };

  for (const event of events) {
    const time = at(event.at);
    switch (event.type) {
      case "route.decided":
        decisions.push({
          ...{ type: "note", key: `route-${event.seq}`, level: 2, kind: "ok", from: time, to: time },
          ...{ text: describeRoute(event.intents), routeSeq: event.seq },
        });
        break;
      case "route.changed":
        calls.get(event.toolCallId)?.rows.push({
          ...{ type: "note", key: `note-${event.seq}`, level: 3, kind: "failed", from: time, to: time },
          ...{ text: `moved from ${event.from.key} to ${event.to.key}`, code: event.error.code },
        });
        break;
      case "model.requested": {
        if (turns.at(-1)?.row.turn === event.turn) break;
        turns.push({
          row: {
            ...{ type: "turn", key: `turn-${event.turn}`, level: 1, kind: "running", from: time, to: undefined },
            ...{ turn: event.turn, text: "", model: event.model, isCopied: event.turn <= copiedTurns },
          },
          calls: [],
          notes: decisions,
        });
        decisions = [];
        break;
      }
      case "model.responded": {
        const turn = turns.at(-1);
        if (turn === undefined) break;
        Object.assign(turn.row, { to: time, kind: "ok", text: event.text });
        break;
      }
      case "model.failed": {
        const turn = turns.at(-1);
        const note = {
          type: "note",
          key: `note-${event.seq}`,
          level: 2,
          kind: "failed",
          from: time,
          to: time,
        } as const;
        turn?.notes.push({ ...note, text: event.error.message, code: event.error.code });
        if (event.retryAt === null && turn !== undefined) Object.assign(turn.row, { to: time, kind: "failed" });
        break;
      }
      case "tool_call.requested": {
        const { toolCallId, name, parameters } = event;
        const row: Row<"call"> = {
          ...{ type: "call", key: toolCallId, level: 2, kind: "running", from: time, to: undefined },
          ...{ toolCallId, name, parameters, result: undefined, errorCode: undefined },
          isUntrusted: event.isUntrusted === true,
        };
        const call = { row, rows: [] };
        calls.set(toolCallId, call);
        turns.at(-1)?.calls.push(call);
        break;
      }
      case "approval.requested":
        setCall(event.toolCallId, "waiting");
        startWait(event.toolCallId, event.approvalId, {
          ...{
            kind: "waiting",
            from: time,
            reason: "approval",
            text: "Waiting for approval",
            approvalId: event.approvalId,
          },
        });
        break;
      case "approval.resolved": {
        const isApproved = event.status === "approved";
        const who = event.keyId === undefined ? "" : ` by ${nameOfKey(event.keyId)}`;
        const word = event.status.charAt(0).toUpperCase() + event.status.slice(1);
        setCall(event.toolCallId, "running");
        endWait(event.approvalId, time, isApproved ? "ok" : "denied", `${word}${who}`);
        break;
      }
      case "attempt.started": {
        endWait(`retry-${event.toolCallId}`, time);
        const row: Row<"attempt"> = {
          ...{ type: "attempt", key: event.attemptId, level: 3, kind: "running", from: time, to: undefined },
          ...{ attemptId: event.attemptId, toolCallId: event.toolCallId, number: event.number },
          ...{ httpStatus: undefined, errorCode: undefined, bytes: undefined, phases: undefined },
        };
        attempts.set(event.attemptId, row);
        calls.get(event.toolCallId)?.rows.push(row);
        break;
      }
      case "attempt.finished": {
        const row = attempts.get(event.attemptId);
        if (row === undefined) break;
        const { timings, errorCode, httpStatus, outcome, durationMs } = event;
        const isUnknown = outcome === "unknown";
        Object.assign(row, {
          to: durationMs === null ? time : row.from + durationMs,
          kind: isUnknown ? "unknown" : errorCode === undefined ? "ok" : "failed",
          ...{ httpStatus, errorCode, bytes: event.responseBytes },
          phases: timings === null ? undefined : toPhases(timings),
        } satisfies Partial<Row<"attempt">>);
        if (event.retryAt !== undefined) {
          startWait(event.toolCallId, `retry-${event.toolCallId}`, {
            ...{ kind: "queued", from: time, reason: "retry", text: "Waiting for the retry" },
          });
        } else if (event.isPending === true) {
          startWait(event.toolCallId, `callback-${event.toolCallId}`, {
            ...{ kind: "waiting", from: time, reason: "callback", text: "Waiting for a callback" },
          });
        }
        break;
      }
      case "input.requested":
        startWait(event.toolCallId, `input-${event.toolCallId}-${event.round}`, {
          ...{ kind: "waiting", from: time, reason: "input", text: "Waiting for a person's answers" },
        });
        break;
      case "input.received":
        endWait(`input-${event.toolCallId}-${event.round}`, time, "ok", `Answered by ${nameOfKey(event.keyId)}`);
        break;
      case "input.withdrawn":
        endWait(`input-${event.toolCallId}-${event.round}`, time, "cancelled", `Questions ${event.status}`);
        break;
      case "task.created":
        startWait(event.toolCallId, `task-${event.toolCallId}`, {
          ...{ kind: "waiting", from: time, reason: "task", text: "Waiting for the server's task" },
        });
        break;
      case "callback.received":
        endWait(`callback-${event.toolCallId}`, time, "ok", "Callback received");
        break;
      case "tool_call.completed":
        endCall(event.toolCallId, time, "ok", { result: event.result });
        break;
      case "tool_call.failed": {
        const { error, fallbackUntil, toolCallId } = event;
        const isUnknown = calls
          .get(toolCallId)
          ?.rows.some(({ type, kind }) => type === "attempt" && kind === "unknown");
        endCall(toolCallId, time, isUnknown === true ? "unknown" : "failed", { errorCode: error.code });
        if (fallbackUntil !== undefined) {
          startWait(toolCallId, `fallback-${toolCallId}`, {
            ...{ kind: "waiting", from: time, reason: "fallback", text: "Waiting for a fallback" },
          });
        }
        break;
      }
      case "fallback.received":
        endWait(
          `fallback-${event.toolCallId}`,
          time,
          "ok",
          event.isDeclined ? "Fallback declined" : "Fallback received",
        );
        break;
      case "tool_call.denied":
        endCall(event.toolCallId, time, statusOfError(event.error.code), { errorCode: event.error.code });
        break;
      case "limit.reached":
        ends.push({
          ...{ type: "note", key: `note-${event.seq}`, level: 1, kind: "limit", from: time, to: time },
          ...{ text: event.message, code: event.limit },
        });
        break;
      case "execution.failed":
        ends.push({
          ...{ type: "note", key: `note-${event.seq}`, level: 1, kind: "failed", from: time, to: time },
          ...{ text: event.error.message, code: event.error.code },
        });
        break;
      case "execution.cancelled":
        ends.push({
          ...{ type: "note", key: `note-${event.seq}`, level: 1, kind: "cancelled", from: time, to: time },
          text: "Cancelled",
        });
        break;
      default:
        break;
    }
    if (
      event.type.startsWith("execution.") &&
      event.type !== "execution.started" &&
      event.type !== "execution.waiting"
    ) {
      closeOpen(turns, time);
    }
  }
  return [...turns.flatMap(toRows), ...ends];
}

/** Names the capability of each intent that a turn may use. */
function describeRoute(intents: readonly { readonly intent: string; readonly chosen: string | null }[]): string {
  const served = intents.map(({ intent, chosen }) => `${intent} → ${chosen ?? "no capability"}`);
  return `Route: ${served.length === 0 ? "no intent" : served.join(", ")}`;
}

/** Ends what an execution left open when it ended. */
function closeOpen(turns: readonly Turn[], time: number): void {
  const close = (row: Mutable<TimelineRow>) => {
    if (row.to !== undefined) return;
    row.to = time;
    row.kind = row.type === "attempt" ? "unknown" : "cancelled";
  };
  for (const { row, calls } of turns) {
    close(row);
    for (const call of calls) {
      close(call.row);
      for (const each of call.rows) close(each);
    }
  }
}

function toRows({ row, calls, notes }: Turn): readonly TimelineRow[] {
  const last = calls.length - 1;
  const rows = calls.flatMap((call, index) => {
    if (last === 0) return [call.row, ...call.rows];
    const bracket = index === 0 ? "first" : index === last ? "last" : "through";
    const below = index === last ? call.rows : call.rows.map((each) => ({ ...each, bracket: "through" }) as const);
    return [{ ...call.row, bracket } as const, ...below];
  });
  return [row, ...notes, ...rows];
}

function toPhases(timings: {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
}): Phases {
  const { dns, connect, tls, firstByte } = timings;
  return { dns: dns ?? 0, connect: connect ?? 0, tls: tls ?? 0, firstByte: firstByte ?? 0 };
}
