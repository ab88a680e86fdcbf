import { isJsonObject } from "@yagate/lib/json/json-object";
import type { HostedCall } from "@yagate/protocol";
import type { CallState, ExecutionState } from "./state.ts";

/** Untrusted content that the model has read. */
export interface UntrustedRead {
  /** Name of the tool that returned the content. */
  readonly tool: string;
  /** Origin of the content, such as `https://example.com`; undefined if it has no single origin. */
  readonly origin: string | undefined;
}

/**
 * Returns the untrusted content that the model has read before its next turn: the untrusted content in the results of
 * all earlier turns. A failure counts if it quotes the service or handler that was called. A call that was blocked
 * before it was sent does not count.
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

/** Returns whether a failure quotes the service or handler that was called: its response or its error message. */
export function quotesOthers({ kind, error }: Pick<CallState, "kind" | "error">): boolean {
  return error?.details !== undefined || (kind === "handler" && error?.source === "handler");
}

/** Returns the origin of the URL that a call requested, without the rest of the URL, which may be confidential. */
function originOf({ attempts, parameters }: CallState): string | undefined {
  const isObject = isJsonObject(parameters);
  const argument = isObject ? parameters["url"] : undefined;
  const url = URL.parse(attempts.at(-1)?.url ?? (typeof argument === "string" ? argument : ""));
  return url === null || url.origin === "null" ? undefined : url.origin;
}

/** Returns the names of the provider-run tools, each once, whose results the model read for its reply. */
export function completedHostedTools(calls: readonly HostedCall[] = []): readonly string[] {
  if (calls.length === 0) return [];
  return [...new Set(calls.filter(({ status }) => status === "completed").map(({ name }) => name))];
}
