import { createHash } from "node:crypto";
import { type HandlerToolDefinition, YagateError } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import type { CallbackState, CallState, ExecutionState } from "../machine/state.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import type { Commands } from "../service/commands.ts";

/** The one call that a token opens. */
export interface CallbackSubject {
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
}

/** What was brought, as it came. */
export interface Outcome {
  /** The one that it was brought with. */
  readonly token: string;
  /** `X-YA-Signature`. */
  readonly signature: string | undefined;
  /** The exact bytes. */
  readonly body: Uint8Array;
}

/** Takes outcomes of asynchronous calls, on any replica. */
export interface CallbackService {
  /** Whose token it is. @throws YagateError `UNAUTHENTICATED` when it is not this call's. */
  authenticate(token: string, toolCallId: string): Promise<CallbackSubject>;
  /**
   * Takes an outcome, once; the same bytes again change nothing.
   *
   * @throws YagateError as `readOutcome`; `CONFLICT` when another one was there first; `GONE` when nobody waits for it.
   */
  receive(subject: CallbackSubject, outcome: Outcome): Promise<void>;
}

export interface CallbackServiceOptions {
  /** The call that a token is for. @throws YagateError `UNAUTHENTICATED` for one that this gateway has not made. */
  readonly readToken: (token: string) => Promise<CallbackSubject>;
  /**
   * Checks the signature of what was brought, and reads it.
   * @throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `MALFORMED_JSON`,
   * `INVALID_REQUEST`.
   */
  readonly readOutcome: (
    brought: Pick<CallbackSubject, "workspaceId" | "toolCallId"> & Outcome & { readonly tool: HandlerToolDefinition },
  ) => Promise<CallbackState["answer"]>;
  readonly eventStore: Pick<EventStore, "find">;
  readonly commands: Commands;
  readonly loadAgent: LoadAgent;
}

export function createCallbackService(options: CallbackServiceOptions): CallbackService {
  const { readToken, readOutcome, eventStore, commands, loadAgent } = options;

  /** The tool as the execution's version of the agent has it; its execution may be gone by now. */
  async function toolOf({ executionId, workspaceId }: CallbackSubject, { name }: Pick<CallState, "name">) {
    const execution = await eventStore.find(executionId, workspaceId);
    const tool = execution === undefined ? undefined : (await loadAgent(execution)).toolset.tools.get(name)?.handler;
    if (tool === undefined) throw gone("the call does not exist any more");
    return tool;
  }

  return {
    async authenticate(token, toolCallId) {
      const subject = await readToken(token);
      if (subject.toolCallId === toolCallId) return subject;
      throw new YagateError("UNAUTHENTICATED", "expected the token that came with this call");
    },
    async receive(subject, { token, signature, body }) {
      const { workspaceId, executionId, toolCallId } = subject;
      const call = callOf(await commands.stateOf(executionId), toolCallId);
      const tool = await toolOf(subject, call);
      const answer = await readOutcome({ workspaceId, toolCallId, tool, token, signature, body });
      const bodyHash = `sha256:${createHash("sha256").update(body).digest("hex")}`;
      const { events, state } = await commands.apply(executionId, { type: "callback", toolCallId, bodyHash, answer });
      if (events.length === 0) assertSame(callOf(state, toolCallId), bodyHash);
    },
  };
}

function callOf(state: ExecutionState, toolCallId: string): CallState {
  const call = state.turns.flatMap(({ calls }) => calls).find(({ id }) => id === toolCallId);
  if (call === undefined) throw gone("the call does not exist any more");
  return call;
}

/** Of an outcome that was not taken: it was there already, or says why not. */
function assertSame({ callback, fallback, status }: CallState, bodyHash: string): void {
  if (callback?.bodyHash === bodyHash) return;
  const isAnswered = callback !== null || status === "completed" || (fallback !== null && fallback !== "declined");
  if (isAnswered) {
    throw new YagateError("CONFLICT", "this call has another outcome already");
  }
  throw gone("the call has expired, was cancelled or has ended");
}

function gone(message: string): YagateError {
  return new YagateError("GONE", message, {
    hint: "the call no longer waits for a result: do not repeat the callback",
  });
}
