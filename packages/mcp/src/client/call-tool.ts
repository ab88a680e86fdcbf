import type { Tool } from "@modelcontextprotocol/client";
import { defined } from "@yagate/lib/objects/defined";
import { type JsonObject, YagateError } from "@yagate/protocol";
import type { FetchBounds } from "./bounded-fetch.ts";
import { toCallResult } from "./call-result.ts";
import { brokenStream, isInvalidParams, LAST_EVENT_MS, statusOf, toCallError } from "./failures.ts";
import { openSession, type Session } from "./open-session.ts";
import type { CallRequestFacts, EraVerdict, McpCallOutcome, McpContinuation, McpEndpoint } from "./port.ts";
import { readRequiredInput } from "./required-input.ts";

/** One call of a tool. */
export interface McpCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The accepted JSON Schema of the arguments. It decides which arguments are sent as headers too. */
  readonly parameters: JsonObject;
  readonly verdict?: EraVerdict | undefined;
  /** Continues a call that required input; absent for a new call. */
  readonly continuation?: McpContinuation | undefined;
  /** Maximum time in ms for the complete call. */
  readonly timeoutMs: number;
  /** Maximum time in ms without progress; default 30 000. */
  readonly idleMs?: number;
  /** Maximum size of the server's responses, in bytes. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (message: string | undefined) => void;
  /** Called immediately before the call is sent. If it throws, the call is not sent, and rejects with that error. */
  readonly beforeSend?: () => void;
  /** Set as the request that carries the call proceeds. */
  readonly facts?: CallRequestFacts;
  /** The trace of the call, as `traceparent`. */
  readonly traceparent?: string;
}

const DEFAULT_IDLE_MS = 30_000;
const LATE = "the MCP server did not respond in time";

/**
 * Calls one tool, over a connection of its own.
 *
 * @throws McpCallError if there is no result; the error of `beforeSend`.
 */
export async function callMcpTool(endpoint: McpEndpoint, call: McpCall): Promise<McpCallOutcome> {
  let isSent = false;
  let veto: { readonly error: unknown } | undefined;
  const watch: CallWatch = {
    onCallSent() {
      isSent = true;
    },
    beforeCall() {
      try {
        call.beforeSend?.();
      } catch (error) {
        veto = { error };
        throw error;
      }
    },
  };
  try {
    return await attempt(endpoint, call, watch).catch((error: unknown) => {
      // A server that has gone back to an older revision rejects the request before it runs anything.
      if (call.verdict?.kind !== "modern" || statusOf(error) !== 400) throw error;
      isSent = false;
      return attempt(endpoint, { ...call, verdict: undefined }, watch);
    });
  } catch (error) {
    if (veto !== undefined) throw veto.error;
    // A server rejects a state that it did not make, or whose time is over, like invalid parameters.
    if (call.continuation !== undefined && isInvalidParams(error)) return { isInputExpired: true };
    throw toCallError(error, { signal: call.signal, isSent });
  }
}

type CallWatch = Required<Pick<FetchBounds, "beforeCall" | "onCallSent">>;

async function attempt(endpoint: McpEndpoint, call: McpCall, watch: CallWatch): Promise<McpCallOutcome> {
  const broken = new AbortController();
  const { verdict, timeoutMs, idleMs = DEFAULT_IDLE_MS, maxResponseBytes: maxBytes, onProgress, traceparent } = call;
  const signal = AbortSignal.any([call.signal, broken.signal]);
  const timeout = Math.min(timeoutMs, idleMs);
  const onStreamEnd = (error: unknown) => {
    setTimeout(() => broken.abort(brokenStream(error)), LAST_EVENT_MS).unref();
  };
  const late = setTimeout(() => broken.abort(new YagateError("TIMEOUT", LATE)), timeoutMs);
  let session: Session | undefined;
  try {
    session = await openSession({
      endpoint,
      verdict,
      signal,
      timeoutMs: timeout,
      maxBytes,
      onStreamEnd,
      ...watch,
      ...defined({ facts: call.facts }),
    });
    const params = {
      name: call.name,
      arguments: call.arguments,
      ...continued(call.continuation),
      ...defined({ _meta: traceparent === undefined ? undefined : { traceparent } }),
    };
    const result = await session.client.callTool(params, {
      toolDefinition: toDefinition(call),
      ...{ signal, timeout, maxTotalTimeout: timeoutMs, resetTimeoutOnProgress: true },
      onprogress: ({ message }) => onProgress?.(message),
      allowInputRequired: true,
    });
    if (result["resultType"] === "input_required") {
      return { requiredInput: readRequiredInput(result), verdict: session.verdict };
    }
    return { ...toCallResult(result), verdict: session.verdict };
  } catch (error) {
    // The library reports an abort as a timeout.
    throw broken.signal.aborted ? broken.signal.reason : error;
  } finally {
    clearTimeout(late);
    await session?.close();
  }
}

function continued(continuation: McpContinuation | undefined) {
  if (continuation === undefined) return {};
  const { answers, requestState } = continuation;
  // The server asked for nothing if there are no answers.
  const hasAnswers = Object.keys(answers).length > 0;
  return defined({ inputResponses: hasAnswers ? { ...answers } : undefined, requestState });
}

/** Without an output schema, which the library would check in the main thread. */
function toDefinition({ name, parameters }: McpCall): Tool {
  return { name, inputSchema: { ...parameters, type: "object" } };
}
