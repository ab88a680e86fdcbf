import { cutText } from "@yagate/lib/text/cut-text";
import { type ExecutionEvent, FINAL_EVENT_TYPES } from "@yagate/protocol";
import { LRUCache } from "lru-cache";
import { commandName } from "../../command-name.ts";
import { commandsFor } from "../../inputs/show.ts";
import { describeHeldTools } from "../../sources/held-tools.ts";
import { clockTime } from "../../text/clock-time.ts";
import { elapsed } from "../../text/duration.ts";
import { describeFailure } from "./describe-failure.ts";
import type { LogEntry } from "./log-entry.ts";

/** Maximum number of executions whose names are remembered. The lines of a forgotten execution stay readable. */
const MAX_EXECUTIONS = 1_000;
const MAX_INPUT_CHARACTERS = 60;

interface Call {
  readonly name: string;
  /** Whether its last attempt succeeded, so that a line about the call itself would add nothing. */
  hasResult: boolean;
}

interface Known {
  readonly startedAt: string;
  readonly calls: Map<string, Call>;
  modelRequestedAt: string | undefined;
  model: string;
}

type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;
type Description = Pick<LogEntry, "kind" | "text"> & { readonly details?: readonly string[] };

/** Describes the events of executions. Between events, it remembers the names of tools and when calls started. */
export class EventNarrator {
  readonly #executions = new LRUCache<string, Known>({ max: MAX_EXECUTIONS });

  /**
   * Describes an event.
   *
   * @param agentName - the name of the execution's agent, for `execution.started`.
   * @returns undefined for events that add nothing to the lines around them.
   */
  describe(event: ExecutionEvent, agentName: string): LogEntry | undefined {
    const { at, executionId } = event;
    const known = this.#known(executionId, at);
    const described = describeEvent(event, known, agentName);
    if (FINAL_EVENT_TYPES.has(event.type)) this.#executions.delete(executionId);
    return described === undefined ? undefined : { at, id: executionId, details: [], ...described };
  }

  #known(executionId: string, at: string): Known {
    const found = this.#executions.get(executionId);
    if (found !== undefined) return found;
    const known: Known = { startedAt: at, calls: new Map(), modelRequestedAt: undefined, model: "model" };
    this.#executions.set(executionId, known);
    return known;
  }
}

function describeEvent(event: ExecutionEvent, known: Known, agentName: string): Description | undefined {
  switch (event.type) {
    case "execution.started":
      return started(event, agentName);
    case "model.requested":
      known.modelRequestedAt = event.at;
      known.model = event.model;
      return undefined;
    case "model.responded":
      return step(`${known.model} → ${replyOf(event)}, ${since(known.modelRequestedAt, event.at)}`);
    case "model.failed":
      return modelFailed(event, known.model);
    case "tool_call.requested":
      known.calls.set(event.toolCallId, { name: event.name, hasResult: false });
      return undefined;
    case "attempt.finished":
      return attemptFinished(event, callOf(known, event.toolCallId));
    case "tool_call.completed":
      return completed(event, callOf(known, event.toolCallId));
    case "tool_call.failed":
      return failed(event, callOf(known, event.toolCallId));
    case "tool_call.denied":
      return failure(event.error.code, `${event.error.toolName}: ${event.error.message}`, event.error);
    case "tool_call.late":
      return step(`${callOf(known, event.toolCallId).name} responded too late; the response is recorded, not used`);
    case "approval.requested":
      return approvalRequested(event, callOf(known, event.toolCallId));
    case "approval.resolved":
      return step(`${callOf(known, event.toolCallId).name}: approval ${event.status}`);
    case "input.requested":
      return inputRequested(event, callOf(known, event.toolCallId));
    case "input.received":
      return step(`${callOf(known, event.toolCallId).name}: answers received`);
    case "input.withdrawn":
      return step(`${callOf(known, event.toolCallId).name}: questions ${event.status}`);
    case "input.delivered":
      return undefined;
    case "task.created":
      return step(
        `${callOf(known, event.toolCallId).name} → a task of its server, until ${clockTime(event.expiresAt)}`,
      );
    case "callback.received":
      return step(`${callOf(known, event.toolCallId).name}: callback received`);
    case "fallback.received":
      return step(`${callOf(known, event.toolCallId).name}: fallback ${event.isDeclined ? "declined" : "received"}`);
    case "route.decided":
      return step(
        `routes: ${shortList(event.intents.map(({ intent, chosen }) => `${intent} by ${chosen ?? "nothing"}`))}`,
      );
    case "route.changed":
      return step(
        `${callOf(known, event.toolCallId).name}: ${event.error.code}, so ${event.to.key} serves it instead of ${event.from.key}`,
      );
    case "tools.loaded":
      return step(`${callOf(known, event.toolCallId).name}: loaded ${shortList(event.tools)}`);
    case "citations.requested":
      return step("the reply cites nothing that was found, so the model is asked once more");
    case "limit.reached":
      return { kind: "failed", text: `${event.limit} reached: ${event.message}` };
    case "execution.waiting":
      return waiting(event);
    case "execution.cancel_requested":
      return step("cancellation requested");
    case "execution.completed":
      return { kind: "done", text: `completed in ${since(known.startedAt, event.at)}${totalsOf(event)}` };
    case "execution.cancelled":
      return { kind: "done", text: `cancelled after ${since(known.startedAt, event.at)}${totalsOf(event)}` };
    case "execution.failed":
      return failure(event.error.code, `the execution failed: ${event.error.message}`, event.error);
    case "attempt.started":
      return undefined;
  }
}

function started({ input, heldTools }: EventOf<"execution.started">, agentName: string): Description {
  const text = `${agentName} starts: ${shortInput(input)}`;
  return heldTools === undefined ? step(text) : { ...step(text), details: [describeHeldTools(heldTools)] };
}

const MAX_NAMED_TOOLS = 5;

function shortList(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED_TOOLS;
  return `${names.slice(0, MAX_NAMED_TOOLS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const step = (text: string): Description => ({ kind: "step", text });

function failure(code: string, text: string, error: Parameters<typeof describeFailure>[0]): Description {
  return { kind: "failed", text: `${code} ${text}`, details: describeFailure(error) };
}

function callOf({ calls }: Known, toolCallId: string): Call {
  return calls.get(toolCallId) ?? { name: toolCallId, hasResult: false };
}

function shortInput(input: unknown): string {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return JSON.stringify(cutText(text, MAX_INPUT_CHARACTERS));
}

function replyOf({ toolCalls, text, usage, finishReason }: EventOf<"model.responded">): string {
  const tokens = `${usage.inputTokens + usage.outputTokens} tokens`;
  const names = toolCalls.map(({ name }) => name).join(", ");
  if (names !== "") return `calls ${names}, ${tokens}`;
  return text === "" ? `no text (${finishReason}), ${tokens}` : `text, ${tokens}`;
}

function modelFailed({ error, retryAt }: EventOf<"model.failed">, model: string): Description {
  if (retryAt === null) return failure(error.code, `${model}: ${error.message}`, error);
  return { kind: "failed", text: `${error.code} ${model}: ${error.message}; next request at ${clockTime(retryAt)}` };
}

function attemptFinished(event: EventOf<"attempt.finished">, call: Call): Description {
  const { errorCode, httpStatus, durationMs, isPending, number, retryAt, input } = event;
  const took = durationMs === null ? "" : ` ${elapsed(durationMs)}`;
  const status = httpStatus === undefined ? "" : ` ${httpStatus}`;
  if (errorCode === undefined) {
    call.hasResult = isPending !== true && input === undefined;
    const rest = isPending === true ? ", its callback will deliver the result" : INPUT_TEXTS[input ?? "none"];
    return step(`${call.name} →${status === "" ? " done" : status}${took}${rest}`);
  }
  const next = retryAt === undefined ? "" : `, next attempt at ${clockTime(retryAt)}`;
  return { kind: "failed", text: `${call.name} →${status} ${errorCode}${took} (attempt ${number}${next})` };
}

const INPUT_TEXTS = {
  none: "",
  required: ", it requires input",
  expired: ", it no longer accepts the answers; the call starts over",
} as const;

function completed({ via }: EventOf<"tool_call.completed">, { name, hasResult }: Call): Description | undefined {
  if (via === "fallback" || via === "callback") return step(`${name} → result from the ${via}`);
  return hasResult ? undefined : step(`${name} → done`);
}

function failed({ error, fallbackUntil }: EventOf<"tool_call.failed">, { name }: Call): Description {
  if (fallbackUntil === undefined) return failure(error.code, `${name}: ${error.message}`, error);
  return {
    kind: "waiting",
    text: `${error.code} ${name} waits until ${clockTime(fallbackUntil)} for a fallback from the caller`,
  };
}

function approvalRequested({ approvalId, expiresAt }: EventOf<"approval.requested">, { name }: Call): Description {
  const commands = ["show", "approve", "deny"].map((verb) => `${commandName()} approvals ${verb} ${approvalId}`);
  return { kind: "waiting", text: `${name} waits for an approval until ${expiresAt}`, details: commands };
}

function inputRequested(
  { toolCallId, round, questions, expiresAt }: EventOf<"input.requested">,
  { name }: Call,
): Description {
  if (questions.length === 0) return step(`${name} asks to be called again`);
  const asked = questions.map(({ message, url }) => `asks: ${message}${url === undefined ? "" : ` (${url})`}`);
  const commands = [`${commandName()} inputs show ${toolCallId}`, ...commandsFor({ toolCallId, round, questions })];
  return { kind: "waiting", text: `${name} waits for input until ${expiresAt}`, details: [...asked, ...commands] };
}

function waiting({ reason, until }: EventOf<"execution.waiting">): Description | undefined {
  switch (reason) {
    case "restart":
      return step("continues after a restart of the gateway");
    case "callback":
      return { kind: "waiting", text: `waits for a callback until ${until}` };
    case "task":
      return { kind: "waiting", text: `waits for the task of an MCP server until ${until}` };
    case "approval":
    case "input":
    case "fallback":
    case "retry":
      // The line of the call or of the model request has already said so.
      return undefined;
  }
}

function totalsOf({ usage, cost }: EventOf<"execution.completed"> | EventOf<"execution.cancelled">): string {
  const calls = `, ${usage.toolCalls} tool ${usage.toolCalls === 1 ? "call" : "calls"}`;
  return cost.usd === 0 ? calls : `${calls}, ${cost.usd} USD`;
}

function since(start: string | undefined, end: string): string {
  return start === undefined ? "" : elapsed(Math.max(0, Date.parse(end) - Date.parse(start)));
}
