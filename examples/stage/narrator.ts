import type { StreamEvent } from "@yagate/client";
import type { LineKind } from "./print-line.ts";

type Print = (line: string, kind?: LineKind) => void;

/** Describes what happens inside the gateway, for readers who see it for the first time. */
export function createNarrator(print: Print): (event: StreamEvent) => void {
  const names = new Map<string, string>();
  const name = (toolCallId: string) => names.get(toolCallId) ?? toolCallId;
  return (event) => {
    switch (event.type) {
      case "execution.started":
        return print("gateway  the execution is in the journal and starts");
      case "model.requested":
        return print(`model    turn ${event.turn}: the agent thinks (${event.model})`);
      case "tool_call.requested":
        names.set(event.toolCallId, event.name);
        return print(`model    wants ${event.name}(${JSON.stringify(event.parameters)})`);
      case "attempt.started":
        return print(`gateway  signs ${name(event.toolCallId)}, attempt ${event.number}, and sends it to ${event.url}`);
      case "attempt.finished":
        return print(
          `gateway  ${name(event.toolCallId)}, attempt ${event.number}: ${outcomeOf(event)}`,
          event.errorCode === undefined ? undefined : "failed",
        );
      case "tool_call.failed":
        return print(
          event.fallbackUntil === undefined
            ? `gateway  ${name(event.toolCallId)} failed for good: ${event.error.message}`
            : `gateway  ${name(event.toolCallId)} failed (${event.error.code}); asks the caller's onToolError`,
          event.fallbackUntil === undefined ? "failed" : "waiting",
        );
      case "tool_call.completed":
        return print(
          `gateway  ${name(event.toolCallId)} is done${event.via === "fallback" ? ", with the fallback" : ""}`,
          "done",
        );
      case "execution.completed":
        return print(`gateway  the execution is complete (${event.stopReason})`, "done");
      case "execution.failed":
        return print(`gateway  the execution failed: ${event.error.message}`, "failed");
    }
  };
}

function outcomeOf(event: Extract<StreamEvent, { type: "attempt.finished" }>): string {
  const took = `${Math.round(event.durationMs ?? 0)} ms`;
  if (event.errorCode === undefined) return `HTTP ${event.httpStatus}, ${took}`;
  const again = event.retryAt === undefined ? "" : `; tries again at ${event.retryAt.slice(11, 23)}`;
  return `${event.errorCode} after ${took}${again}`;
}
