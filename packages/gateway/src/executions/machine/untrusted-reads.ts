import { isJsonObject } from "@yagate/lib/json/json-object";
import type { HostedCall } from "@yagate/protocol";
import type { CallState, ExecutionState } from "./state.ts";

/** Something that was written by others and that the model has read. */
export interface UntrustedRead {
  /** The tool that brought it. */
  readonly tool: string;
  /** Where it came from, as `https://example.com`; undefined where that is not one place. */
  readonly origin: string | undefined;
}

/**
 * What the model has read of others when it is asked for its next turn: the results of all turns before. A failure
 * counts where it tells what the other side answered; what was refused before it was sent does not.
 */
export function untrustedReads({ turns }: Pick<ExecutionState, "turns">): readonly UntrustedRead[] {
  return turns.flatMap(({ calls, hostedTools }) => [
    ...hostedTools.map((tool): UntrustedRead => ({ tool, origin: undefined })),
    ...calls.filter(isRead).map((call): UntrustedRead => ({ tool: call.name, origin: originOf(call) })),
  ]);
}

function isRead(call: CallState): boolean {
  return call.isUntrusted && (call.status === "completed" || (call.status === "failed" && quotesOthers(call)));
}

/** Whether a failure has words of the other side: what it answered, or the message of a handler. */
export function quotesOthers({ kind, error }: Pick<CallState, "kind" | "error">): boolean {
  return error?.details !== undefined || (kind === "handler" && error?.source === "handler");
}

/** Of what was asked for, never the whole URL: it may hold what nobody else should read. */
function originOf({ attempts, parameters }: CallState): string | undefined {
  const isObject = isJsonObject(parameters);
  const asked = isObject ? parameters["url"] : undefined;
  const url = URL.parse(attempts.at(-1)?.url ?? (typeof asked === "string" ? asked : ""));
  return url === null || url.origin === "null" ? undefined : url.origin;
}

/** Names of the tools, each once, whose results the provider gave its model with an answer. */
export function completedHostedTools(calls: readonly HostedCall[] = []): readonly string[] {
  return [...new Set(calls.filter(({ status }) => status === "completed").map(({ name }) => name))];
}
