import { createHash } from "node:crypto";
import { YagateError } from "@yagate/protocol";
import { readCallbackBody } from "../../dispatch/callback-body.ts";
import { assertCallbackSignature } from "../../dispatch/callback-signature.ts";
import type { ExecutionJournal } from "../../journal/port.ts";
import type { CallbackSubject, CallbackTokens } from "../../secrets/callback-tokens.ts";
import type { Commands } from "../commands.ts";
import type { LoadAgent } from "../loaded-agents.ts";
import type { CallState, ExecutionState } from "../machine/state.ts";

/** What was brought, as it came. */
export interface BroughtOutcome {
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
   * @throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`; `INVALID_REQUEST` for what is
   * no outcome; `CONFLICT` when another one was there first; `GONE` when nobody waits for it.
   */
  receive(subject: CallbackSubject, outcome: BroughtOutcome): Promise<void>;
}

export interface CallbackServiceOptions {
  readonly tokens: Pick<CallbackTokens, "read">;
  readonly journal: Pick<ExecutionJournal, "find">;
  readonly commands: Commands;
  readonly loadAgent: LoadAgent;
  readonly signingSecrets: {
    /** The live secrets of a name, newest first; empty or `NOT_FOUND` when there is none. */
    forSigning(workspaceId: string, name: string): Promise<readonly string[]>;
  };
}

export function createCallbackService(options: CallbackServiceOptions): CallbackService {
  const { tokens, journal, commands, loadAgent } = options;

  /** The tool as the execution's version of the agent has it; its execution may be gone by now. */
  async function toolOf({ executionId, workspaceId }: CallbackSubject, { name }: Pick<CallState, "name">) {
    const execution = await journal.find(executionId, workspaceId);
    const tool = execution === undefined ? undefined : (await loadAgent(execution)).toolset.tools.get(name)?.handler;
    if (tool === undefined) throw gone("the call does not exist any more");
    return tool;
  }

  async function secretsOf({ workspaceId }: CallbackSubject, name: string): Promise<readonly string[]> {
    try {
      return await options.signingSecrets.forSigning(workspaceId, name);
    } catch (error) {
      if (YagateError.is(error) && error.code === "NOT_FOUND") return [];
      throw error;
    }
  }

  return {
    async authenticate(token, toolCallId) {
      const subject = await tokens.read(token);
      if (subject.toolCallId === toolCallId) return subject;
      throw new YagateError("UNAUTHENTICATED", "expected the token that came with this call");
    },
    async receive(subject, { signature, body }) {
      const { executionId, toolCallId } = subject;
      const call = callOf(await commands.stateOf(executionId), toolCallId);
      const tool = await toolOf(subject, call);
      const secrets = await secretsOf(subject, tool.signingSecret ?? "default");
      await assertCallbackSignature(signature, tool, { toolCallId, body }, secrets);
      const bodyHash = `sha256:${createHash("sha256").update(body).digest("hex")}`;
      if (call.callback?.bodyHash === bodyHash) return;
      const answer = readCallbackBody(body, secrets);
      const { events, state } = await commands.give(executionId, { type: "callback", toolCallId, bodyHash, answer });
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
function assertSame({ callback, fallback, status, via }: CallState, bodyHash: string): void {
  if (callback?.bodyHash === bodyHash) return;
  const isAnswered = callback !== null || status === "completed" || via !== undefined;
  if (isAnswered || (fallback !== null && fallback !== "declined")) {
    throw new YagateError("CONFLICT", "this call has another outcome already");
  }
  throw gone("the call has expired, was cancelled or has ended");
}

function gone(message: string): YagateError {
  return new YagateError("GONE", message, { hint: "nobody waits for this outcome: there is nothing to repeat" });
}
