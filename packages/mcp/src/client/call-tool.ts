import type { Tool } from "@modelcontextprotocol/client";
import { defined } from "@yagate/lib/objects/defined";
import { type JsonObject, YagateError } from "@yagate/protocol";
import type { FetchBounds } from "./bounded-fetch.ts";
import { toCallResult } from "./call-result.ts";
import { brokenStream, LAST_EVENT_MS, statusOf, toCallError } from "./failures.ts";
import { openSession, type Session } from "./open-session.ts";
import type { CallRequestFacts, EraVerdict, McpCallResult, McpEndpoint } from "./port.ts";

/** One call of a tool. */
export interface McpCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The accepted JSON Schema of the arguments. It decides which arguments are sent as headers too. */
  readonly parameters: JsonObject;
  readonly verdict?: EraVerdict | undefined;
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
export async function callMcpTool(endpoint: McpEndpoint, call: McpCall): Promise<McpCallResult> {
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
    throw toCallError(error, { signal: call.signal, isSent });
  }
}

type CallWatch = Required<Pick<FetchBounds, "beforeCall" | "onCallSent">>;

async function attempt(endpoint: McpEndpoint, call: McpCall, watch: CallWatch): Promise<McpCallResult> {
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
      ...defined({ _meta: traceparent === undefined ? undefined : { traceparent } }),
    };
    const result = await session.client.callTool(params, {
      toolDefinition: toDefinition(call),
      ...{ signal, timeout, maxTotalTimeout: timeoutMs, resetTimeoutOnProgress: true },
      onprogress: ({ message }) => onProgress?.(message),
    });
    return { ...toCallResult(result), verdict: session.verdict };
  } catch (error) {
    // The library reports an abort as a timeout.
    throw broken.signal.aborted ? broken.signal.reason : error;
  } finally {
    clearTimeout(late);
    await session?.close();
  }
}

/** Without an output schema, which the library would check in the main thread. */
function toDefinition({ name, parameters }: McpCall): Tool {
  return { name, inputSchema: { ...parameters, type: "object" } };
}
