import { CANCELLED_UNSENT, egressFailure, OUT_OF_TIME, refused } from "@yagate/calls/failure";
import type { CallContext, ToolCall, ToolExecutor } from "@yagate/calls/port";
import { headerOf } from "@yagate/calls/read-response";
import { recordMessage, recordResponse, sendCall, unsentOutcome } from "@yagate/calls/send-call";
import type { EgressResponse } from "@yagate/egress";
import type { CallTarget, Failure } from "@yagate/execution-machine/call-outcome";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { riskOf } from "@yagate/lib/tools/risk-of";
import {
  DEFAULT_NETWORK_TIMEOUT_MS,
  type JsonObject,
  type RecordedMessage,
  type SecretAuth,
  schemaHash,
  YagateError,
} from "@yagate/protocol";
import { renderProblem } from "@yagate/tool-definitions/request/render-error";
import { asksAfterUntrusted, authorise } from "../../policy/authorise.ts";
import type { Tool } from "../port.ts";
import type { CallOptions } from "../toolset/tool-entry.ts";
import { type CallRequest, createCallRequests, type WireRequest } from "./call-request.ts";
import { classifyNetworkResponse, readResponseBody } from "./network-response.ts";
import type { NetworkAgent, NetworkTool } from "./network-tool.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import type { NetworkServices } from "./services.ts";

/** A tool that sends requests, with what is needed to render them and to limit their duration. */
export interface TimedRequests {
  readonly tool: NetworkTool;
  /** Maximum duration of one attempt in ms. */
  readonly timeoutMs: number;
  readonly requestOf: (parameters: JsonObject) => CallRequest;
}

/** Creates the executor for a tool that sends requests to services. */
export function createNetworkExecutor(
  { tool, timeoutMs: ownTimeoutMs, requestOf }: TimedRequests,
  agent: NetworkAgent,
  services: NetworkServices,
): ToolExecutor {
  /** Returns how the credential is currently added to requests; null if the secret does not exist. */
  async function authOf(name: string | undefined, workspaceId: string): Promise<SecretAuth | null> {
    if (name === undefined) return null;
    return (await services.secrets.describe(workspaceId, [name])).get(name)?.auth ?? null;
  }

  async function prepare(
    call: ToolCall,
    context: CallContext,
  ): Promise<PreparedRequest | { readonly failure: Failure }> {
    if (isAborted(context)) return { failure: CANCELLED_UNSENT };
    try {
      const { approvedHash } = context;
      return await prepareRequest(call, requestOf(call.parameters), { tool, agent, services, approvedHash });
    } catch (error) {
      if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return refused(error.code, error.message);
      services.onError?.(error, call);
      return refused("INTERNAL", "the call failed because of an internal error of the gateway");
    }
  }

  return {
    async render({ workspaceId, toolCallId, parameters }) {
      const callRequest = requestOf(parameters);
      const { credentialName } = callRequest;
      const masked = callRequest.masked(await authOf(credentialName, workspaceId));
      callRequest.assertNoCredentialConflict(masked);
      const { method, url, headers, body = "" } = masked;
      const request = { method, url, headers: { ...headers }, body, ...defined({ credential: credentialName }) };
      return { request, hash: callRequest.hash(toolCallId, masked) };
    },
    async execute(call, context) {
      const arrivedAt = performance.now();
      const unsent = (failure: Failure) => unsentOutcome(failure, performance.now() - arrivedAt);
      const prepared = await prepare(call, context);
      if ("failure" in prepared) return unsent(prepared.failure);
      if (isAborted(context)) return unsent(CANCELLED_UNSENT);
      const timeoutMs = Math.floor(context.deadline - services.now());
      if (timeoutMs < 1) return unsent(OUT_OF_TIME);
      const { workspaceId } = call;
      const { request, masked, approved, route, maxResponseBytes, valuesToRedact, credits } = prepared;
      const { method, url, headers, body } = request;
      const redaction = createRedaction(valuesToRedact);
      const { deadline, latestDeadline = Infinity } = context;
      // The timeout in messages is the one that the tool's author set, unless the execution ends sooner.
      const limitMs = deadline < latestDeadline ? ownTimeoutMs : timeoutMs;
      const { answer, exchange, mayHaveLeft } = await sendCall(
        {
          egress: services.egressOf(workspaceId)[route],
          request: (bounds) => ({
            ...bounds,
            ...{ group: workspaceId, method, url, headers, approved, maxResponseBytes, onTooLarge: "cut" },
            // Following a redirect would send the request, perhaps with a credential, to a URL that was not approved.
            redirects: "refuse",
            ...(body === undefined ? {} : { body: Buffer.from(body) }),
          }),
          timeoutMs,
          startedAt: performance.now(),
          recorded: { url: masked.url, request: recordRequest(masked) },
          read: (response) => readResponse(response, redaction, services.now()),
          describe: (error) => egressFailure(error, "service", { limitMs, redact: redaction.text }),
          onDefect: (error) => services.onError?.(error, call),
        },
        context,
      );
      const isFree = call.isPaid === true || !mayHaveLeft;
      return { answer, exchange, cost: { usd: 0, credits: isFree ? 0 : credits } };
    },
  };
}

function isAborted({ signal, unsentSignal }: CallContext): boolean {
  return signal.aborted || unsentSignal?.aborted === true;
}

/** Reads the body of a response, which is untrusted, and classifies the response. */
async function readResponse(response: EgressResponse, redaction: Redaction, now: number) {
  const { body: bytes, isCut } = response;
  const headers = redaction.headers(response.headers);
  const body = await readResponseBody(bytes, headerOf(headers, "content-type"), { isCut, redaction });
  const answer = classifyNetworkResponse({ ...response, headers }, body, now);
  return { answer, response: recordResponse({ headers, body: bytes }, body.text) };
}

function recordRequest({ headers, body = "" }: WireRequest): RecordedMessage {
  return recordMessage({ ...headers }, body, Buffer.byteLength(body));
}

/** What {@link toRequestTool} needs to know about a tool, in addition to its request. */
interface DescribedRequest {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly sideEffect: Tool["sideEffect"];
  readonly risk?: NonNullable<Tool["risk"]> | undefined;
  readonly approval?: Parameters<typeof authorise>[1]["approval"];
  /**
   * Whether the author declares the results as trusted, so that they do not count as untrusted content; default false.
   */
  readonly isTrusted?: boolean | undefined;
  readonly options: CallOptions;
}

/** Makes a tool that sends requests ready to run. */
export async function toRequestTool(
  tool: NetworkTool,
  { description, parameters, sideEffect, risk: declared, approval, isTrusted = false, options }: DescribedRequest,
  {
    policy,
    agent,
    services,
  }: {
    readonly policy: Parameters<typeof authorise>[0];
    readonly agent: NetworkAgent;
    readonly services: NetworkServices;
  },
): Promise<Tool> {
  const { timeout: timeoutMs = DEFAULT_NETWORK_TIMEOUT_MS } = options;
  const requestOf = createCallRequests(tool);
  const risk = riskOf({ sideEffect: sideEffect ?? undefined, risk: declared });
  return {
    name: tool.name,
    description,
    parameters,
    schemaHash: await schemaHash(parameters),
    problemOf: (given) => renderProblem(() => requestOf(given).bare),
    isPrimitive: tool.isPrimitive,
    kind: "network",
    sideEffect,
    risk,
    policyDecision: authorise(policy, { kind: "network", risk, approval }),
    asksAfterUntrusted: asksAfterUntrusted(policy, { risk, approval }),
    isUntrusted: !isTrusted,
    options,
    targetOf: (given) => (isJsonObject(given) ? targetOf(() => requestOf(given), tool) : NOWHERE),
    timeoutMs,
    executor: createNetworkExecutor({ tool, timeoutMs, requestOf }, agent, services),
  };
}

const NOWHERE: CallTarget = { method: "", url: "" };

/** Returns the destination of a call as its record shows it. */
function targetOf(request: () => CallRequest, { template }: NetworkTool): CallTarget {
  try {
    const { authored, credentialName } = request();
    const names = new Set([credentialName ?? [], ...template.secretNames].flat());
    const { method, url } = authored;
    return { method, url, ...(names.size === 0 ? {} : { credential: [...names].join(", ") }) };
  } catch {
    // The executor reports what is wrong with the request.
    return NOWHERE;
  }
}
