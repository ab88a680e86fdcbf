import { EgressError, type EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import { defined } from "@yagate/lib/objects/defined";
import { maskOf } from "@yagate/lib/redaction/mask-of";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { type ApprovalRequest, type SecretAuth, YagateError } from "@yagate/protocol";
import { headerOf } from "../../calls/header.ts";
import type { CallContext, ToolCall, ToolExecutor, ToolFailure, ToolOutcome } from "../port.ts";
import { assertPlaceIsFree, maskRequest } from "./masked-request.ts";
import { answeredExchange, unansweredExchange, unsentExchange } from "./network-exchange.ts";
import { CANCELLED, DEFECT, networkFailure, OUT_OF_TIME, refused } from "./network-failures.ts";
import { classifyNetworkResponse } from "./network-response.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import { hashOfRequest } from "./request-hash.ts";
import { readResponseBody } from "./response-body.ts";
import type { NetworkServices } from "./services.ts";
import { toWireRequest, type WireRequest } from "./wire-request.ts";

/** Runs one attempt of a tool whose calls are requests to services of others. */
export function createNetworkExecutor(tool: TimedTool, agent: NetworkAgent, services: NetworkServices): ToolExecutor {
  const bareRequest = (call: ToolCall) => toWireRequest(tool.template.render(call.parameters, maskOf));

  /** Of its credential, as it is now. */
  async function authOf({ workspaceId, parameters }: ToolCall): Promise<SecretAuth | null> {
    const name = tool.credentialOf(parameters);
    if (name === undefined) return null;
    return (await services.secrets.describe(workspaceId, [name])).get(name)?.auth ?? null;
  }

  async function prepare(
    call: ToolCall,
    context: CallContext,
  ): Promise<PreparedRequest | { readonly failure: ToolFailure }> {
    if (isAborted(context)) return CANCELLED;
    try {
      const { approvedHash } = context;
      return await prepareRequest(call, bareRequest(call), { tool, agent, services, approvedHash });
    } catch (error) {
      if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return refused(error.code, error.message);
      services.onError?.(error, call);
      return DEFECT;
    }
  }

  return {
    async render(call) {
      const shown = maskRequest(tool, call, bareRequest(call), await authOf(call));
      assertPlaceIsFree(tool, call, shown);
      return {
        request: toApprovalRequest(shown.request, tool.credentialOf(call.parameters)),
        hash: hashOfRequest(tool, call, shown),
      };
    },
    async execute(call, context) {
      const startedAt = performance.now();
      const prepared = await prepare(call, context);
      if ("failure" in prepared) {
        const { failure } = prepared;
        return { answer: prepared, cost: FREE, exchange: unsentExchange(failure, performance.now() - startedAt) };
      }
      if (isAborted(context)) return { answer: CANCELLED, cost: FREE, exchange: unsentExchange(CANCELLED.failure, 0) };
      const { workspaceId } = call;
      const toSend = { ...prepared, workspaceId, limitMs: ownLimitMs(tool, context) };
      const sent = await send(toSend, context, services, (error) => services.onError?.(error, call));
      const isPaid = call.isPaid === true || !sent.mayHaveLeft;
      const { answer, exchange } = sent;
      return { answer, exchange, cost: isPaid ? FREE : { usd: 0, credits: prepared.credits } };
    },
  };
}

const FREE = { usd: 0, credits: 0 };

function isAborted({ signal, unsentSignal }: CallContext): boolean {
  return signal.aborted || unsentSignal?.aborted === true;
}

/** The number that the tool's author knows, unless the execution ends sooner. */
function ownLimitMs(
  { timeoutMs }: TimedTool,
  { deadline, latestDeadline = Infinity }: CallContext,
): number | undefined {
  return deadline < latestDeadline ? timeoutMs : undefined;
}

interface TimedTool extends NetworkTool {
  /** Bound of one attempt. */
  readonly timeoutMs: number;
}

interface Sent extends Pick<ToolOutcome, "answer"> {
  readonly exchange: NonNullable<ToolOutcome["exchange"]>;
  readonly mayHaveLeft: boolean;
}

/** Sends a request and reads its answer. Rejects only with the error of `beforeSend`. */
async function send(
  prepared: PreparedRequest & { readonly workspaceId: string; readonly limitMs: number | undefined },
  { deadline, signal, unsentSignal, beforeSend }: CallContext,
  { egressOf, now }: NetworkServices,
  onDefect: (error: unknown) => void,
): Promise<Sent> {
  const startedAt = performance.now();
  const { workspaceId, request, shown, approved, way, maxResponseBytes, valuesToRedact } = prepared;
  const redaction = createRedaction(valuesToRedact);
  const timeoutMs = Math.floor(deadline - now());
  if (timeoutMs < 1) {
    const exchange = unsentExchange(OUT_OF_TIME.failure, performance.now() - startedAt);
    return { answer: OUT_OF_TIME, exchange, mayHaveLeft: false };
  }
  let veto: { readonly error: unknown } | undefined;
  let mayHaveLeft = false;
  try {
    const response = await egressOf(workspaceId)[way].request({
      group: workspaceId,
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
      approved,
      timeoutMs,
      maxResponseBytes,
      onTooLarge: "cut",
      signal,
      ...defined({ unsentSignal }),
      beforeSend() {
        try {
          beforeSend();
        } catch (error) {
          veto = { error };
          throw error;
        }
        mayHaveLeft = true;
      },
    });
    return { ...(await answered(shown, response, redaction, now())), mayHaveLeft };
  } catch (error) {
    if (veto !== undefined) throw veto.error;
    const durationMs = performance.now() - startedAt;
    if (error instanceof EgressError) {
      const answer = { failure: networkFailure(error, prepared.limitMs ?? timeoutMs, redaction.text) };
      return { answer, exchange: unansweredExchange(shown, error, durationMs), mayHaveLeft: error.bytesMayHaveLeft };
    }
    onDefect(error);
    const known = { bytesMayHaveLeft: mayHaveLeft, timings: NO_TIMINGS, answerStatus: undefined };
    const outcome = mayHaveLeft ? "unknown" : "none";
    const answer = { failure: { ...DEFECT.failure, outcome } as const };
    return { answer, exchange: unansweredExchange(shown, known, durationMs), mayHaveLeft };
  }
}

async function answered(shown: WireRequest, response: EgressResponse, redaction: Redaction, now: number) {
  const { body: bytes, isCut } = response;
  const headers = redaction.headers(response.headers);
  const body = await readResponseBody(bytes, headerOf(headers, "content-type"), { isCut, redaction });
  const answer = classifyNetworkResponse({ ...response, headers }, body, now);
  return { answer, exchange: answeredExchange(shown, { ...response, headers }, body.text) };
}

function toApprovalRequest(
  { method, url, headers, body = "" }: WireRequest,
  credential: string | undefined,
): ApprovalRequest {
  return { method, url, headers: { ...headers }, body, ...defined({ credential }) };
}
