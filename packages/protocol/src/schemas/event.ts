import * as z from "zod";
import { timingsSchema } from "./attempt.ts";
import { executionErrorSchema, executionInputSchema, executionOutputSchema, stopReasonSchema } from "./execution.ts";
import { hostedCallSchema, sourceSchema } from "./hosted-call.ts";
import { agentIdSchema, approvalIdSchema, attemptIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { limitNameSchema, savedLimitsSchema } from "./limits.ts";
import { finishReasonSchema, modelCallsSchema, modelResponseSchema } from "./model-call.ts";
import { openResponse } from "./open-response.ts";
import { projectionSchema } from "./projection.ts";
import { riskClassSchema, sideEffectSchema, toolKindSchema } from "./side-effect.ts";
import { handlerErrorSchema } from "./tool-answer.ts";
import { policyDecisionSchema, viaSchema } from "./tool-call-record.ts";
import { toolErrorSchema } from "./tool-error.ts";
import { costSchema, tokenUsageSchema, usageSchema } from "./usage.ts";

const event = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.looseObject({
    type: z.literal(type),
    /** Position in the execution's log, from 1, without gaps. */
    seq: z.int().min(1),
    at: timestampSchema,
    executionId: executionIdSchema,
    ...fields,
  });

const turn = z.int().min(1);
const modelCall = { turn, attempt: z.int().min(1) };
const toolCall = { toolCallId: toolCallIdSchema };
/** What its tool asked of the agent's model; absent where it asked nothing. */
const modelCalls = modelCallsSchema.optional();
const attempt = { ...toolCall, attemptId: attemptIdSchema, number: z.int().min(1) };

/** Every numbered event of an execution; folding them gives its state, and nothing else does. */
export const executionEventSchema = z.discriminatedUnion("type", [
  event("execution.started", {
    agentId: agentIdSchema,
    agentVersion: z.int().min(1),
    input: executionInputSchema,
    limits: savedLimitsSchema,
  }),
  event("model.requested", { ...modelCall, model: z.string() }),
  /** Deltas of this turn's attempt are void. `retryAt` is null when it was the last one. */
  event("model.failed", {
    ...modelCall,
    error: executionErrorSchema,
    retryAt: timestampSchema.nullable(),
    /** The gateway was restarted; this does not count as a retry. */
    isInterruption: z.boolean().optional(),
    /** What the provider counted all the same; absent where it counted nothing. */
    usage: tokenUsageSchema.optional(),
    cost: costSchema.optional(),
  }),
  event("model.responded", {
    ...modelCall,
    text: z.string(),
    finishReason: finishReasonSchema,
    toolCalls: z.array(z.looseObject({ toolCallId: toolCallIdSchema, name: z.string(), parameters: jsonValueSchema })),
    usage: tokenUsageSchema,
    cost: costSchema,
    /** What the provider said of its answer; absent where it said nothing. */
    response: modelResponseSchema.optional(),
    /** Tools that the provider ran itself, in the order of the answer; absent where there were none. */
    hostedCalls: z.array(hostedCallSchema).optional(),
    /** What the answer is drawn from; absent where the provider named nothing. */
    sources: z.array(sourceSchema).optional(),
  }),
  event("tool_call.requested", {
    ...toolCall,
    turn,
    name: z.string(),
    /** Null when the agent has no such tool. */
    kind: toolKindSchema.nullable(),
    parameters: jsonValueSchema,
    sideEffect: sideEffectSchema.nullable(),
    risk: riskClassSchema.nullable(),
    policyDecision: policyDecisionSchema.nullable(),
    /** Names of the secrets whose values the model wrote; `***NAME***` stands in their place. Absent where it wrote none. */
    leakedSecrets: z.array(z.string()).optional(),
    /** What of its result the model will read; absent where its tool does not say. */
    projection: z.looseObject(projectionSchema.shape).optional(),
    /** Whether what it brings was written by others and is not trusted by the agent's author. */
    isUntrusted: z.boolean().optional(),
    /** Of a call that may bring what others wrote: what marks the frame in which the model reads its result. */
    frameNonce: z.string().optional(),
  }),
  /** Without an approval the policy refused it; otherwise a person did, or nobody answered in time. */
  event("tool_call.denied", { ...toolCall, error: toolErrorSchema }),
  /** A person is asked whether the call may run; nothing of it is sent before somebody says so. */
  event("approval.requested", {
    ...toolCall,
    approvalId: approvalIdSchema,
    expiresAt: timestampSchema,
    /** Of what would be sent. */
    requestHash: z.string(),
  }),
  event("approval.resolved", {
    ...toolCall,
    approvalId: approvalIdSchema,
    status: z.enum(["approved", "denied", "expired", "cancelled"]),
    /** The API key that answered, null for the bootstrap key; absent when nobody did. */
    keyId: z.string().nullable().optional(),
    /** The same key had started the execution. */
    isSelfApproval: z.boolean().optional(),
    comment: z.string().optional(),
    reason: z.string().optional(),
    /** The arguments that are sent instead of the model's, and what they come to; absent when nothing was edited. */
    parameters: jsonObjectSchema.optional(),
    requestHash: z.string().optional(),
  }),
  event("attempt.started", {
    ...attempt,
    method: z.string(),
    url: z.string(),
    /** Name of the secret that goes along; several with commas between. */
    credential: z.string().optional(),
    deadline: timestampSchema,
    /** Of an `async` tool: until when its result may be brought; the same in every attempt of a call. */
    callbackUntil: timestampSchema.optional(),
  }),
  event("attempt.finished", {
    ...attempt,
    durationMs: z.number().nullable(),
    timings: timingsSchema.nullable(),
    /** What was called, where a credential belongs into the URL; otherwise it is as `attempt.started` says. */
    url: z.string().optional(),
    httpStatus: z.int().optional(),
    requestBytes: z.int().min(0),
    responseBytes: z.int().min(0),
    errorCode: z.string().optional(),
    outcome: z.enum(["none", "unknown"]).optional(),
    /** It was answered 202: the result is to be brought by a callback. */
    isPending: z.boolean().optional(),
    /** When the next attempt starts; absent when there is none. */
    retryAt: timestampSchema.optional(),
    /** Of this attempt alone; absent when it cost nothing. */
    cost: costSchema.optional(),
    /** The gateway was restarted while the attempt was on its way; this does not count as a retry. */
    isInterruption: z.boolean().optional(),
  }),
  /** With `fallbackUntil` the call is held for the caller's answer; without it the call has ended. */
  event("tool_call.failed", {
    ...toolCall,
    error: toolErrorSchema,
    fallbackUntil: timestampSchema.optional(),
    /** Of all attempts and model calls; absent when they cost nothing, or while the call is held. */
    cost: costSchema.optional(),
    modelCalls,
  }),
  event("fallback.received", { ...toolCall, isDeclined: z.boolean(), result: jsonValueSchema.optional() }),
  /** The outcome of an asynchronous call was brought, its result or why it failed; the first one holds. */
  event("callback.received", {
    ...toolCall,
    /** `sha256:` and 64 hex digits of the body: the same one again changes nothing. */
    bodyHash: z.string(),
    result: jsonValueSchema.optional(),
    error: handlerErrorSchema.optional(),
  }),
  /** The answer of an attempt that had been given up: recorded, not used. */
  event("tool_call.late", {
    ...toolCall,
    attemptId: attemptIdSchema,
    httpStatus: z.int().optional(),
    /** From sending the attempt to the end of its answer, in ms. */
    elapsedMs: z.number().optional(),
    responseBytes: z.int().min(0).optional(),
  }),
  event("tool_call.completed", {
    ...toolCall,
    result: jsonValueSchema,
    via: viaSchema.optional(),
    /** Of what the model reads, where its tool has a projection; otherwise it reads the whole. */
    readCharacters: z.int().min(0).optional(),
    /** Of all attempts and model calls. */
    cost: costSchema,
    modelCalls,
  }),
  event("limit.reached", { limit: limitNameSchema, message: z.string() }),
  /** `restart`: no gateway ran since the event before; the execution goes on at once, as `until` says. */
  event("execution.waiting", {
    reason: z.enum(["fallback", "retry", "approval", "callback", "restart"]),
    until: timestampSchema,
    /** The time since the event before does not count as spent. */
    isInterruption: z.boolean().optional(),
    /** Tools may have asked a model before the restart, and what that cost is not known. */
    isCostUnknown: z.boolean().optional(),
  }),
  event("execution.cancel_requested", {}),
  event("execution.completed", {
    stopReason: stopReasonSchema,
    output: executionOutputSchema,
    usage: usageSchema,
    cost: costSchema,
  }),
  event("execution.failed", {
    error: executionErrorSchema,
    usage: usageSchema,
    cost: costSchema,
  }),
  event("execution.cancelled", { usage: usageSchema, cost: costSchema }),
]);

export type ExecutionEvent = z.infer<typeof executionEventSchema>;
/** What a client reads: the known events with open enumerations, and events of types that it does not know as they are. */
export const receivedEventSchema = openResponse(executionEventSchema);
export type ReceivedEvent = z.infer<typeof receivedEventSchema>;

export type ExecutionEventType = ExecutionEvent["type"];

/** A piece of the model's text as it is written: not numbered, not kept, not repeated after a reconnection. */
export const textDeltaSchema = z.looseObject({
  type: z.literal("text.delta"),
  executionId: executionIdSchema,
  turn,
  text: z.string(),
});
export type TextDelta = z.infer<typeof textDeltaSchema>;

/** Whatever a stream of an execution carries. */
export type StreamEvent = ReceivedEvent | TextDelta;

/** Types of events after which nothing comes. */
export const FINAL_EVENT_TYPES: ReadonlySet<string> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
]);
