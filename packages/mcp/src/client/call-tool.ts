import type { Tool } from "@modelcontextprotocol/client";
import { defined } from "@yagate/lib/objects/defined";
import { type JsonObject, YagateError } from "@yagate/protocol";
import type { FetchBounds } from "./bounded-fetch.ts";
import { toCallResult } from "./call-result.ts";
import { interceptTask, readCreatedTask } from "./created-task.ts";
import { BAD_REQUEST, isInvalidParams, statusOf, toCallError } from "./failures.ts";
import { inSession } from "./in-session.ts";
import type {
  CallRequestFacts,
  EraVerdict,
  McpCallOutcome,
  McpContinuation,
  McpEndpoint,
  McpResumptionOptions,
} from "./port.ts";
import { readRequiredInput } from "./required-input.ts";
import { Resumable } from "./resumable.ts";

/** One call of a tool. */
export interface McpCall extends McpResumptionOptions {
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

/**
 * Calls one tool, over a connection of its own.
 *
 * @throws McpCallError if there is no result; the error of `beforeSend`.
 */
export async function callMcpTool(endpoint: McpEndpoint, given: McpCall): Promise<McpCallOutcome> {
  // Only a session of an older revision can be resumed, even if the server's newest verdict is another one.
  const call: McpCall = given.resumption === undefined ? given : { ...given, verdict: { kind: "legacy" } };
  // A resumed call was sent by an earlier process.
  let isSent = call.resumption !== undefined;
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
      // A server that has changed its revisions rejects a request of the newest one, or the session of an older one, before
      // it runs anything.
      const isRejected = call.verdict !== undefined && statusOf(error) === BAD_REQUEST;
      if (!isRejected || (call.verdict?.kind === "legacy" && isSent)) throw error;
      isSent = false;
      return attempt(endpoint, { ...call, verdict: undefined }, watch);
    });
  } catch (error) {
    if (veto !== undefined) throw veto.error;
    // A server rejects a state that it did not make, or whose time is over, like invalid parameters.
    if (call.continuation !== undefined && isInvalidParams(error)) return { isInputExpired: true };
    if (call.resumption !== undefined && isUnreadable(error)) return { isResumptionLost: true };
    const signal = AbortSignal.any([call.signal, ...(call.detach === undefined ? [] : [call.detach])]);
    throw toCallError(error, { signal, isSent });
  }
}

/** Returns whether the response to an earlier call is gone, or its server cannot be reached. */
function isUnreadable(error: unknown): boolean {
  return YagateError.is(error) && error.code === "NETWORK_ERROR";
}

type CallWatch = Required<Pick<FetchBounds, "beforeCall" | "onCallSent">>;

function attempt(endpoint: McpEndpoint, call: McpCall, watch: CallWatch): Promise<McpCallOutcome> {
  const { verdict, timeoutMs, idleMs, maxResponseBytes: maxBytes, signal, onProgress, traceparent, facts } = call;
  const { resumption } = call;
  const resumable = new Resumable(call);
  const bounds = {
    ...{ endpoint, verdict, timeoutMs, idleMs, maxBytes, resumption, isResumption: resumption !== undefined },
    signal: AbortSignal.any([signal, resumable.givenUp]),
    ...watch,
    ...defined({ facts }),
  };
  const answered = inSession(bounds, async (session, library) => {
    resumable.begin(session);
    const params = {
      name: call.name,
      arguments: call.arguments,
      ...continued(call.continuation),
      ...defined({ _meta: traceparent === undefined ? undefined : { traceparent } }),
    };
    const takeTask = interceptTask(session);
    const result = await session.client.callTool(params, {
      toolDefinition: toDefinition(call),
      ...library,
      resetTimeoutOnProgress: true,
      onprogress: ({ message }) => onProgress?.(message),
      allowInputRequired: true,
      onresumptiontoken: resumable.take,
      ...defined({ resumptionToken: resumption?.eventId }),
    });
    const task = takeTask();
    if (task !== undefined) return { task: readCreatedTask(task), verdict: session.verdict };
    if (result["resultType"] === "input_required") {
      return { requiredInput: readRequiredInput(result), verdict: session.verdict };
    }
    return { ...toCallResult(result), verdict: session.verdict };
  });
  return answered.finally(resumable.end);
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
