import { createHash } from "node:crypto";
import { attemptTrace } from "@yagate/calls/attempt-trace";
import { CANCELLED_UNSENT, NOT_AS_APPROVED, OUT_OF_TIME } from "@yagate/calls/failure";
import { HANDED_OVER } from "@yagate/calls/handed-over";
import type { CallContext, CallExchange, ToolCall, ToolExecutor } from "@yagate/calls/port";
import { recordMessage, roundedTimes, unsentOutcome } from "@yagate/calls/send-call";
import { NO_TIMINGS } from "@yagate/egress/internal";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { toAbortSignal } from "@yagate/lib/async/cancellation";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { defined } from "@yagate/lib/objects/defined";
import { createRedaction } from "@yagate/lib/redaction/redaction";
import type { NamedSecret } from "@yagate/lib/redaction/search/needles";
import { McpCallError } from "@yagate/mcp/client/call-error";
import { callMcpTool, type McpCall } from "@yagate/mcp/client/call-tool";
import type { CallRequestFacts } from "@yagate/mcp/client/port";
import { canonicalJson, type JsonObject, type Resumption } from "@yagate/protocol";
import { readCreatedTask } from "./created-task.ts";
import { secretNameOf } from "./endpoint.ts";
import { createFollowTask } from "./follow-task.ts";
import { mcpFailure } from "./mcp-failure.ts";
import type { McpServices, McpTool } from "./port.ts";
import { createReadResult } from "./read-result.ts";
import { readRequirement } from "./required-input.ts";

/** Creates the executor for a tool of an MCP server. Each attempt has a connection of its own. */
export function createMcpExecutor(tool: McpTool, services: McpServices): ToolExecutor {
  const { server, source } = tool;
  const readResult = createReadResult(tool, services);
  const host = hostNameOf(new URL(server.url));
  const hashOf = ({ toolCallId, parameters }: ToolCall) => {
    const text = canonicalJson([tool.hash, toolCallId, parameters]);
    return `sha256:${createHash("sha256").update(text).digest("hex")}`;
  };

  /** Returns why the call may not be sent; undefined if it may. */
  async function refusalOf(call: ToolCall, { approvedHash }: CallContext): Promise<Failure | undefined> {
    if (approvedHash !== undefined && approvedHash !== hashOf(call)) return NOT_AS_APPROVED;
    const { workspaceId, executionId, primitiveOrdinal: ordinal = 1 } = call;
    const destination = { workspaceId, host, integrations: "all" } as const;
    return services.limits.admit({ ...destination, executionId, ordinal, isPrimitive: false });
  }

  return {
    followTask: createFollowTask(tool, services),
    async render(call) {
      const credential = secretNameOf(server.auth);
      const body = JSON.stringify({ method: "tools/call", params: paramsOf(tool, call) });
      const request = { method: "POST", url: server.url, headers: {}, body, ...defined({ credential }) };
      return { request, hash: hashOf(call) };
    },
    async execute(call, context) {
      const startedAt = performance.now();
      const unsent = (failure: Failure) => unsentOutcome(failure, performance.now() - startedAt);
      const refusal = await refusalOf(call, context);
      if (refusal !== undefined) return unsent(refusal);
      const opened = await services.openEndpoint({ workspaceId: call.workspaceId, sourceId: source.id }, server);
      if ("failure" in opened) return unsent(opened.failure);
      const { workspaceId } = call;
      const { endpoint, credential, eraKey } = opened;
      const verdict = await services.verdicts.find(eraKey);
      const maxResponseBytes = await services.limits.responseBytes({ workspaceId, host, integrations: "all" });
      const credits = credential === "" ? 0 : await services.limits.creditsPerCall(workspaceId);
      const timeoutMs = Math.floor(context.deadline - services.now());
      if (timeoutMs < 1) return unsent(OUT_OF_TIME);
      const watched = watch(context);
      if (watched.signal.aborted) return unsent(CANCELLED_UNSENT);
      const facts: CallRequestFacts = {};
      const request: McpCall = {
        ...paramsOf(tool, call),
        ...{ parameters: tool.parameters, verdict, timeoutMs, maxResponseBytes, facts },
        ...{ signal: watched.signal, detach: watched.detach, beforeSend: watched.beforeSend },
        ...{ continuation: call.continuation, resumption: call.resumption },
        onResumable: resumableUnless(opened.valuesToRedact, context.onResumable),
        traceparent: attemptTrace(call, services.isTraceRecorded()).traceparent,
      };
      const { answer, response } = await callMcpTool(endpoint, request)
        .then(async (outcome) => {
          if ("isInputExpired" in outcome) return { answer: { inputExpired: true as const }, response: undefined };
          if ("isResumptionLost" in outcome) return { answer: { resumptionLost: true as const }, response: undefined };
          const redaction = createRedaction(opened.valuesToRedact);
          await services.verdicts.note(eraKey, outcome.verdict, { used: verdict, redaction });
          if ("requiredInput" in outcome) return readRequirement(outcome.requiredInput, redaction);
          if ("task" in outcome) return readCreatedTask(outcome.task, redaction);
          const { signal } = context;
          return readResult(outcome, redaction, { workspaceId, signal: toAbortSignal(signal) });
        })
        .catch((error: unknown) => {
          if (!(error instanceof McpCallError)) throw error;
          return { answer: { failure: mcpFailure(error, facts, services.now()) }, response: undefined };
        })
        .finally(watched.stop);
      const wasSent = facts.body !== undefined || (call.resumption !== undefined && "result" in answer);
      const isFree = call.isPaid === true || !wasSent;
      return {
        answer,
        exchange: exchangeOf(facts, performance.now() - startedAt, response),
        cost: { usd: 0, credits: isFree ? 0 : credits },
      };
    },
  };
}

function paramsOf(tool: McpTool, { parameters }: ToolCall): { readonly name: string; readonly arguments: JsonObject } {
  return { name: tool.name, arguments: parameters };
}

/** Passes on where a response can be resumed. Ids that contain a credential must not be stored. */
function resumableUnless(credentials: readonly NamedSecret[], onResumable: CallContext["onResumable"]) {
  return (resumption: Resumption) => {
    const redaction = createRedaction(credentials);
    const isClean = (text: string) => redaction.json(text) === text;
    if (isClean(resumption.sessionId) && isClean(resumption.eventId)) onResumable?.(resumption);
  };
}

/**
 * Cancels the call at both signals; at `unsentSignal` only until the call is sent. Detaches it if another process may
 * resume it.
 */
function watch({ signal, unsentSignal, beforeSend }: CallContext) {
  const controller = new AbortController();
  const detaching = new AbortController();
  const cancel = () => (signal.reason === HANDED_OVER ? detaching : controller).abort();
  const ignoreUnsent = () => unsentSignal?.removeEventListener("abort", cancel);
  for (const each of [signal, unsentSignal]) {
    each?.addEventListener("abort", cancel, { once: true });
    if (each?.aborted === true) cancel();
  }
  return {
    signal: controller.signal,
    detach: detaching.signal,
    stop() {
      ignoreUnsent();
      signal.removeEventListener("abort", cancel);
    },
    beforeSend() {
      beforeSend();
      ignoreUnsent();
    },
  };
}

function exchangeOf(facts: CallRequestFacts, durationMs: number, response: string | undefined): CallExchange {
  const { body = "", status, timings = NO_TIMINGS, responseBytes = 0 } = facts;
  const requestBytes = Buffer.byteLength(body);
  return {
    ...roundedTimes(durationMs, timings),
    ...defined({ httpStatus: status }),
    ...{ requestBytes, responseBytes },
    request: recordMessage({}, body, requestBytes),
    response: response === undefined ? null : recordMessage({}, response, Buffer.byteLength(response)),
  };
}
