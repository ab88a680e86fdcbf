import type { ExecutionEvent } from "@yagate/protocol";
import type { OpenCall } from "./fold-state.ts";

/** The changes of a call by an event; `isEnded` if the call has ended. */
export type CallChange = Partial<OpenCall> & { readonly isEnded?: boolean };

/** Returns how an event changes its call; undefined if it changes nothing that the read models contain. */
export function changeOfCall(event: ExecutionEvent, call: OpenCall): CallChange | undefined {
  switch (event.type) {
    case "tool_call.denied":
      return { status: "denied", code: event.error.code, isEnded: true };
    case "tool_call.failed": {
      const { code, source } = event.error;
      if (event.fallbackUntil !== undefined) return { status: "waiting_fallback", code };
      return { status: source === "gateway" && code === "CANCELLED" ? "cancelled" : "failed", code, isEnded: true };
    }
    case "tool_call.completed":
      return { status: "completed", code: null, isEnded: true };
    case "approval.requested":
      return { status: "waiting_approval" };
    case "approval.resolved":
      return event.status === "approved" ? { status: "requested" } : undefined;
    case "route.changed":
      return { status: "requested", isHandler: event.kind === "handler", handler: undefined };
    case "attempt.started":
      return {
        ...{ status: "running", attempts: call.attempts + 1 },
        ...(call.isHandler === true ? { handler: event.url } : {}),
      };
    case "attempt.finished":
      return event.isPending === true ? { status: "waiting_callback" } : undefined;
    case "input.requested":
      return event.questions.length === 0 ? undefined : { status: "waiting_input" };
    case "input.received":
      return call.status === "waiting_input" ? { status: "requested" } : undefined;
    case "task.created":
    case "input.delivered":
      return { status: "waiting_task" };
    default:
      return undefined;
  }
}
