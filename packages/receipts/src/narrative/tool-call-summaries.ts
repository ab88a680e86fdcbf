import { defined } from "@yagate/lib/objects/defined";
import {
  blockReasonOf,
  type ExecutionEvent,
  isBlocked,
  type ReceiptCall,
  type ToolErrorRecord,
  toVisibleLine,
} from "@yagate/protocol";
import type { EventOf } from "./event-of.ts";
import { originOf } from "./phrases.ts";

/** Collects the outcome of each tool call of a record. */
export class ToolCallSummaries {
  readonly #calls = new Map<string, ReceiptCall>();

  /** The calls, in the order in which the model requested them. */
  get calls(): readonly ReceiptCall[] {
    return [...this.#calls.values()];
  }

  nameOf(toolCallId: string): string {
    return toVisibleLine(this.#calls.get(toolCallId)?.name ?? toolCallId);
  }

  add(event: ExecutionEvent): void {
    if (event.type === "tool_call.requested") {
      const { toolCallId, turn, name, kind, parameters } = event;
      const fresh = { toolCallId, turn, name, kind, parameters };
      this.#calls.set(toolCallId, { ...fresh, outcome: "open", origins: [], attempts: 0, approvals: [] });
      return;
    }
    const toolCallId = toolCallIdOf(event);
    const call = toolCallId === undefined ? undefined : this.#calls.get(toolCallId);
    if (call !== undefined) this.#calls.set(call.toolCallId, changed(call, event));
  }
}

/** Returns the id of the call whose summary an event changes; undefined for other events. */
function toolCallIdOf(event: ExecutionEvent): string | undefined {
  switch (event.type) {
    case "approval.requested":
    case "approval.resolved":
    case "attempt.started":
    case "tool_call.completed":
    case "tool_call.denied":
    case "tool_call.failed":
      return event.toolCallId;
    default:
      return undefined;
  }
}

function changed(call: ReceiptCall, event: ExecutionEvent): ReceiptCall {
  switch (event.type) {
    case "approval.requested":
      return { ...call, approvals: [...call.approvals, { approvalId: event.approvalId, status: "pending" }] };
    case "approval.resolved":
      return {
        ...call,
        ...defined({ editedParameters: event.parameters }),
        approvals: call.approvals.map((approval) =>
          approval.approvalId === event.approvalId ? toResolvedApproval(event) : approval,
        ),
      };
    case "attempt.started":
      return {
        ...call,
        ...(event.credential === undefined ? {} : { credentials: withNames(call, event.credential) }),
        attempts: call.attempts + 1,
        origins: [...new Set([...call.origins, originOf(event.url)])],
      };
    case "tool_call.completed": {
      const { error: _held, ...rest } = call;
      return { ...rest, outcome: "completed", ...defined({ via: event.via }) };
    }
    case "tool_call.denied":
      return { ...call, outcome: "denied", ...blockOf(event.error), error: toError(event.error) };
    case "tool_call.failed":
      // A call that is waiting for a fallback has not ended.
      return {
        ...call,
        outcome: event.fallbackUntil === undefined ? "failed" : "open",
        ...(event.fallbackUntil === undefined && isBlocked(event.error) ? blockOf(event.error) : {}),
        error: toError(event.error),
      };
    default:
      return call;
  }
}

function toResolvedApproval(event: EventOf<"approval.resolved">): ReceiptCall["approvals"][number] {
  const { approvalId, status, keyId, isSelfApproval } = event;
  return {
    approvalId,
    status,
    ...defined({ keyId, isSelfApproval }),
  };
}

function withNames({ credentials = [] }: ReceiptCall, names: string): string[] {
  return [...new Set([...credentials, ...names.split(", ")])];
}

function blockOf({ code }: ToolErrorRecord): Pick<ReceiptCall, "blocked" | "blockReason"> {
  return { blocked: true, blockReason: blockReasonOf(code) };
}

function toError({ code, message }: ToolErrorRecord): NonNullable<ReceiptCall["error"]> {
  return { code, message };
}
