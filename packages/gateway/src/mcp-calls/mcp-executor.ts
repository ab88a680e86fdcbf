import { createHash } from "node:crypto";
import { NO_TIMINGS } from "@yagate/egress/internal";
import { toAbortSignal } from "@yagate/lib/async/cancellation";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { defined } from "@yagate/lib/objects/defined";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { McpCallError } from "@yagate/mcp/client/call-error";
import { callMcpTool, type McpCall } from "@yagate/mcp/client/call-tool";
import type { CallRequestFacts, McpCallResult } from "@yagate/mcp/client/port";
import { canonicalJson, type JsonObject, type JsonValue } from "@yagate/protocol";
import { attemptTrace } from "../calls/attempt-trace.ts";
import { recordMessage, roundedTimes, unsentOutcome } from "../calls/exchange-record.ts";
import { CANCELLED_UNSENT, gatewayFailure, NOT_AS_APPROVED, OUT_OF_TIME } from "../calls/failure.ts";
import type { CallAnswer, CallContext, CallExchange, Failure, ToolCall, ToolExecutor } from "../calls/port.ts";
import { secretNameOf } from "./endpoint.ts";
import { mcpFailure, toolFailure } from "./mcp-failure.ts";
import { resultOf } from "./mcp-result.ts";
import type { McpServices, McpTool } from "./port.ts";
import { readRequirement } from "./required-input.ts";

/** Creates the executor for a tool of an MCP server. Each attempt has a connection of its own. */
export function createMcpExecutor(tool: McpTool, services: McpServices): ToolExecutor {
  const { server, source } = tool;
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
        ...{ signal: watched.signal, beforeSend: watched.beforeSend, continuation: call.continuation },
        traceparent: attemptTrace(call, services.isTraceRecorded()).traceparent,
      };
      const { answer, response } = await callMcpTool(endpoint, request)
        .then(async (outcome) => {
          if ("isInputExpired" in outcome) return { answer: { inputExpired: true as const }, response: undefined };
          await services.verdicts.note(eraKey, outcome.verdict, verdict);
          const redaction = createRedaction(opened.valuesToRedact);
          if ("requiredInput" in outcome) return readRequirement(outcome.requiredInput, redaction);
          return readResult(outcome, redaction);
        })
        .catch((error: unknown) => {
          if (!(error instanceof McpCallError)) throw error;
          return { answer: { failure: mcpFailure(error, facts, services.now()) }, response: undefined };
        })
        .finally(watched.stop);
      const checked = await checkOutput(answer, call, context);
      const isFree = call.isPaid === true || facts.body === undefined;
      return {
        answer: checked,
        exchange: exchangeOf(facts, performance.now() - startedAt, response),
        cost: { usd: 0, credits: isFree ? 0 : credits },
      };
    },
  };

  /** Checks a result against the tool's output schema. */
  async function checkOutput(
    answer: ReadAnswer,
    { workspaceId }: ToolCall,
    { signal }: CallContext,
  ): Promise<CallAnswer> {
    if (!("result" in answer)) return answer;
    const { result, structured } = answer;
    if (structured === undefined || tool.outputSchema === undefined) return { result };
    const problem = await services.outputProblem(tool.outputSchema, structured, {
      workspaceId,
      signal: toAbortSignal(signal),
    });
    if (problem === undefined) return { result };
    return { failure: gatewayFailure("INVALID_RESPONSE", problem, { outcome: "none", hint: OUTPUT_HINT }) };
  }
}

const OUTPUT_HINT = "the call itself ran; do not repeat it, and tell the user that its result could not be used";

type ReadAnswer =
  | { readonly result: JsonValue; readonly structured?: JsonValue | undefined }
  | Exclude<CallAnswer, { readonly result: JsonValue }>;

/** Removes the credential from a result and classifies it. */
function readResult(result: McpCallResult, redaction: Redaction): { answer: ReadAnswer; response: string } {
  const value = redaction.json(resultOf(result));
  const response = JSON.stringify(value);
  if (result.isError) return { answer: { failure: toolFailure(value) }, response };
  return {
    answer: { result: value, structured: result.isStructured ? redaction.json(result.value) : undefined },
    response,
  };
}

function paramsOf(tool: McpTool, { parameters }: ToolCall): { readonly name: string; readonly arguments: JsonObject } {
  return { name: tool.name, arguments: parameters };
}

/** Cancels the call at both signals; at `unsentSignal` only until the call is sent. */
function watch({ signal, unsentSignal, beforeSend }: CallContext) {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  const ignoreUnsent = () => unsentSignal?.removeEventListener("abort", cancel);
  for (const each of [signal, unsentSignal]) {
    each?.addEventListener("abort", cancel, { once: true });
    if (each?.aborted === true) cancel();
  }
  return {
    signal: controller.signal,
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
