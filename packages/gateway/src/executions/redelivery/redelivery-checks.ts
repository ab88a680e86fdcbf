import type { CallState } from "@yagate/execution-machine/state";
import { type Scope, YagateError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { Tool } from "../../tools/port.ts";

/** Who asks for a redelivery, and how. */
export interface RedeliveryTerms {
  readonly scopes: ReadonlySet<Scope>;
  /** Whether the sender confirms that a call that may write is sent again. */
  readonly isConfirmed: boolean;
}

/** A tool whose calls are signed. */
export type HandlerTool = Tool & { readonly handler: NonNullable<Tool["handler"]> };

/**
 * Checks that a call may be sent again: it has ended, was sent before, and its sender has the rights that the first
 * attempt needed.
 *
 * @throws YagateError `CONFLICT` if the call cannot be sent again, or a write is not confirmed; `FORBIDDEN` if a person
 *   approved the call and the key may not approve calls.
 */
export function assertRedeliverable(
  call: CallState,
  tool: Tool | undefined,
  { scopes, isConfirmed }: RedeliveryTerms,
): HandlerTool {
  if (call.finishedAt === null) throw new YagateError("CONFLICT", "expected a call that has ended");
  if (tool?.handler === undefined || call.kind !== "handler") {
    throw new YagateError("CONFLICT", "expected a call of a handler tool: only signed calls can be redelivered");
  }
  if (!wasAllowed(call, tool)) {
    throw new YagateError("CONFLICT", "expected a call that was sent: this one was stopped before");
  }
  if (call.approval !== null && !scopes.has("approvals")) {
    throw new YagateError(
      "FORBIDDEN",
      "a person approved this call, so a redelivery needs a key that also has the scope approvals",
    );
  }
  const isRead = call.sideEffect === "read_only" && tool.sideEffect === "read_only";
  if (!isRead && !isConfirmed) {
    const message = `${call.name} may write, and a redelivery may write again: send confirm: true if that is intended`;
    throw new InvalidRequestError([{ path: "confirm", code: "CONFIRMATION_REQUIRED", message }], "CONFLICT", message);
  }
  return { ...tool, handler: tool.handler };
}

/** Returns whether the policy and, if it asked one, a person allowed the call, and the call was sent to its handler. */
function wasAllowed({ status, approval, attempts, error, via }: CallState, tool: Tool): boolean {
  if (status === "denied" || via === "recording" || attempts.length === 0) return false;
  if (approval !== null && approval.status !== "approved") return false;
  if (error?.source === "gateway" && error.code === "POLICY_DENIED") return false;
  return tool.policyDecision.decision !== "denied";
}
