import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  DEFAULT_TOLERANCE_SECONDS,
  type JsonValue,
  MAX_CALL_BODY_BYTES,
  SIGNATURE_HEADER,
  signAnswer,
  type ToolCall,
  YagateError,
} from "@yagate/protocol";
import { postCall } from "../signed-calls/post-call.ts";
import type { NamedSecret } from "../signing-secrets/named-secret.ts";
import { explain } from "../verify/explain.ts";
import { type Judgement, judge, type Verdict } from "../verify/judge.ts";
import type { SavedRequest } from "../verify/saved-request.ts";

const FORWARD_TIMEOUT_MS = 60_000;

export interface Answering {
  readonly secrets: readonly NamedSecret[];
  readonly forwardTo: URL | undefined;
  /** The result of each call that is not forwarded. */
  readonly result: JsonValue;
  readonly delayMs: number;
  /** Whether the next call fails on purpose. */
  failsNext(): boolean;
}

/** A request and its outcome. */
export interface ReceivedCall {
  readonly at: string;
  readonly isAccepted: boolean;
  /** Why the request was rejected. */
  readonly code?: string;
  readonly reason?: string;
  readonly causes?: readonly { readonly cause: string; readonly advice: string }[];
  readonly toolCallId?: string;
  readonly name?: string;
  readonly attempt?: number;
  /** The body as it arrived. */
  readonly request: string;
  readonly forwardedTo?: string;
  readonly status: number;
  readonly response: string;
  readonly durationMs: number;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly forwardedTo?: string;
}

/** Judges a request, responds to it, and returns what happened. */
export async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<ReceivedCall> {
  const startedAt = performance.now();
  const at = new Date().toISOString();
  const { saved, rest } = await read(request);
  const judgement = { secrets: answering.secrets, toleranceSeconds: DEFAULT_TOLERANCE_SECONDS, atMs: Date.now() };
  const verdict = await judge(saved, judgement);
  const answer = await answerTo(saved, verdict, answering);
  response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
  // The remaining bytes of a body that is too large are not read.
  if (rest) await once(response, "close");
  const { call, code, reason } = verdict;
  return {
    ...{ at, isAccepted: code === undefined },
    ...(code !== undefined && { code, ...(await causesOf(verdict, saved, judgement)) }),
    ...(reason !== undefined && { reason }),
    ...(call !== undefined && { toolCallId: call.toolCallId, name: call.name, attempt: call.attempt }),
    request: saved.body.toString("utf8"),
    ...(answer.forwardedTo !== undefined && { forwardedTo: answer.forwardedTo }),
    ...{ status: answer.status, response: answer.body.toString("utf8"), durationMs: performance.now() - startedAt },
  };
}

async function answerTo(saved: SavedRequest, { code, reason, call }: Verdict, answering: Answering): Promise<Answer> {
  if (code !== undefined || call === undefined) {
    const status = code === "BODY_TOO_LARGE" ? 413 : code === "PAYLOAD_INVALID" ? 400 : 401;
    return { status, body: json({ error: { code: code ?? "PAYLOAD_INVALID", message: reason ?? "not a tool call" } }) };
  }
  const isFailure = answering.failsNext();
  if (answering.delayMs > 0) await sleep(answering.delayMs);
  if (isFailure) {
    const message = "this receiver fails the call on purpose, because of --fail";
    return signed(call, 503, json({ error: { code: "UNAVAILABLE", message, retryable: true } }), answering);
  }
  if (answering.forwardTo !== undefined) return forward(answering.forwardTo, saved, call, answering);
  return signed(call, 200, json({ result: answering.result }), answering);
}

/** Passes on the request as it arrived, and returns the response with its signature. */
async function forward(
  url: URL,
  { headers, body }: SavedRequest,
  call: ToolCall,
  answering: Answering,
): Promise<Answer> {
  const kept = headers.filter(([name]) =>
    /^(?:content-type|idempotency-key|x-ya-.+|webhook-.+|traceparent)$/i.test(name),
  );
  const forwardedTo = url.href;
  try {
    const sent = { headers: Object.fromEntries(kept), body: Buffer.from(body) };
    const response = await postCall(url, sent, FORWARD_TIMEOUT_MS);
    const passed = ["content-type", SIGNATURE_HEADER, "retry-after"].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status: response.status, body: response.body, headers: Object.fromEntries(passed), forwardedTo };
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    const failure = json({ error: { code: "UNAVAILABLE", message: error.message, retryable: true } });
    return { ...(await signed(call, 502, failure, answering)), forwardedTo };
  }
}

async function signed(
  { toolCallId }: ToolCall,
  status: number,
  body: Buffer<ArrayBuffer>,
  { secrets }: Answering,
): Promise<Answer> {
  const values = secrets.map(({ value }) => value);
  return { status, body, headers: { [SIGNATURE_HEADER]: await signAnswer({ toolCallId, status, body }, values) } };
}

async function causesOf(verdict: Verdict, saved: SavedRequest, judgement: Judgement) {
  const { causes } = await explain(verdict, saved, judgement, undefined);
  return { causes: causes.map(({ cause, advice }) => ({ cause, advice })) };
}

/** Reads a request. If a body is too large, keeps one byte beyond the limit, which is enough to reject it. */
async function read(request: IncomingMessage): Promise<{ readonly saved: SavedRequest; readonly rest: boolean }> {
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_CALL_BODY_BYTES) break;
  }
  const body = Buffer.concat(chunks).subarray(0, MAX_CALL_BODY_BYTES + 1);
  return { saved: { headers, body, notes: [], isExact: true }, rest: size > MAX_CALL_BODY_BYTES };
}

function json(value: JsonValue): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify(value));
}
