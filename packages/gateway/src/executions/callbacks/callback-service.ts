import { createHash } from "node:crypto";
import { movesOf } from "@yagate/execution-machine/callback";
import type { CallbackState, CallState, ExecutionState } from "@yagate/execution-machine/state";
import { type HandlerToolDefinition, YagateError } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import { toolOfCall } from "../../tools/toolset/tool-of-call.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import type { Commands } from "../service/commands.ts";

/** The call that a callback token belongs to. */
export interface CallbackSubject {
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** Number of times that the call had moved to another capability when the token was issued. */
  readonly moves: number;
}

/** A callback as the gateway received it. */
export interface ReceivedCallback {
  readonly token: string;
  /** Value of the header `X-YA-Signature`. */
  readonly signature: string | undefined;
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
}

/** Receives the outcomes of asynchronous calls, on any replica. */
export interface CallbackService {
  /**
   * Returns the call that a token belongs to.
   *
   * @throws YagateError `UNAUTHENTICATED` if the token is invalid or belongs to a call other than `toolCallId`.
   */
  authenticate(token: string, toolCallId: string): Promise<CallbackSubject>;
  /**
   * Records the outcome of a call. Receiving the same bytes again changes nothing.
   *
   * @throws the errors of `readOutcome`; YagateError `CONFLICT` if the call already has another outcome; `GONE` if the
   *   call is no longer waiting for one, or has moved to another capability.
   */
  receive(subject: CallbackSubject, callback: ReceivedCallback): Promise<void>;
}

export interface CallbackServiceOptions {
  /**
   * Returns the call that a token belongs to.
   *
   * @throws YagateError `UNAUTHENTICATED` for a token that this gateway did not issue.
   */
  readonly readToken: (token: string) => Promise<CallbackSubject>;
  /**
   * Checks the signature of a callback and reads its outcome.
   *
   * @throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `MALFORMED_JSON` or
   *   `INVALID_REQUEST`.
   */
  readonly readOutcome: (
    callback: Pick<CallbackSubject, "workspaceId" | "toolCallId"> &
      ReceivedCallback & { readonly tool: HandlerToolDefinition },
  ) => Promise<CallbackState["outcome"]>;
  readonly eventStore: Pick<EventStore, "find">;
  readonly commands: Commands;
  readonly loadAgent: LoadAgent;
}

export function createCallbackService(options: CallbackServiceOptions): CallbackService {
  const { readToken, readOutcome, eventStore, commands, loadAgent } = options;

  /**
   * Returns the definition of the tool in the execution's version of the agent. Throws `GONE` if the execution has been
   * deleted.
   */
  async function toolOf({ executionId, workspaceId }: CallbackSubject, call: Pick<CallState, "name" | "capability">) {
    const execution = await eventStore.find(executionId, workspaceId);
    const tool = execution && toolOfCall((await loadAgent(execution)).toolset, call)?.handler;
    if (tool === undefined) throw gone("the call no longer exists");
    return tool;
  }

  return {
    async authenticate(token, toolCallId) {
      const subject = await readToken(token);
      if (subject.toolCallId === toolCallId) return subject;
      throw new YagateError("UNAUTHENTICATED", "expected the token that came with this call");
    },
    async receive(subject, { token, signature, body }) {
      const { workspaceId, executionId, toolCallId, moves } = subject;
      const call = callOf(await commands.stateOf(executionId), toolCallId);
      assertNotMoved(call, moves);
      const tool = await toolOf(subject, call);
      const outcome = await readOutcome({ workspaceId, toolCallId, tool, token, signature, body });
      const bodyHash = `sha256:${createHash("sha256").update(body).digest("hex")}`;
      const command = { type: "callback", toolCallId, moves, bodyHash, outcome } as const;
      const { events, state } = await commands.apply(executionId, command);
      if (events.length > 0) return;
      const latest = callOf(state, toolCallId);
      assertNotMoved(latest, moves);
      assertRecorded(latest, bodyHash);
    },
  };
}

function callOf(state: ExecutionState, toolCallId: string): CallState {
  const call = state.turns.flatMap(({ calls }) => calls).find(({ id }) => id === toolCallId);
  if (call === undefined) throw gone("the call no longer exists");
  return call;
}

/** A capability that the call has left must not deliver the result of the one that serves it now. */
function assertNotMoved(call: CallState, moves: number): void {
  if (movesOf(call) !== moves) throw gone("the call has moved to another capability, which serves it now");
}

/** Does nothing if this outcome has already been recorded. Otherwise throws with the reason why it was not recorded. */
function assertRecorded({ callback, fallback, status }: CallState, bodyHash: string): void {
  if (callback?.bodyHash === bodyHash) return;
  const hasOutcome = callback !== null || status === "completed" || (fallback !== null && fallback !== "declined");
  if (hasOutcome) {
    throw new YagateError("CONFLICT", "this call already has another outcome");
  }
  throw gone("the call has expired, was cancelled or has ended without a result");
}

function gone(message: string): YagateError {
  return new YagateError("GONE", message, {
    hint: "the call no longer waits for a result: do not repeat the callback",
  });
}
