import * as z from "zod";
import { attemptInputSchema, timingsSchema } from "./attempt.ts";
import { executionErrorSchema, executionInputSchema, executionOutputSchema, stopReasonSchema } from "./execution.ts";
import { handlerErrorSchema } from "./handler-error.ts";
import { hostedCallSchema, sourceSchema } from "./hosted-call.ts";
import { agentIdSchema, approvalIdSchema, attemptIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { inputQuestionSchema, recordedAnswersSchema } from "./input-request.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { limitNameSchema, savedLimitsSchema } from "./limits.ts";
import { finishReasonSchema, modelCallsSchema, modelResponseSchema } from "./model-call.ts";
import { openResponse } from "./open-response.ts";
import { heldToolsSchema, pinnedSourceToolSchema } from "./pinned-source-tool.ts";
import { projectionSchema } from "./projection.ts";
import { resumptionSchema } from "./resumption.ts";
import { capabilityVersionSchema, routeDecisionSchema } from "./route-decision.ts";
import { riskClassSchema, sideEffectSchema, toolKindSchema } from "./side-effect.ts";
import { policyDecisionSchema, viaSchema } from "./tool-call-record.ts";
import { toolErrorSchema } from "./tool-error.ts";
import { loadReasonSchema, toolDeferralSchema } from "./tool-search.ts";
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
/** The model calls that the tool made; absent if it made none. */
const modelCalls = modelCallsSchema.optional();
const attempt = { ...toolCall, attemptId: attemptIdSchema, number: z.int().min(1) };

/** The numbered events of an execution. The state of the execution follows from these events alone. */
export const executionEventSchema = z.discriminatedUnion("type", [
  event("execution.started", {
    agentId: agentIdSchema,
    agentVersion: z.int().min(1),
    input: executionInputSchema,
    limits: savedLimitsSchema,
    /** The tools of tool sources that the execution uses; absent if it uses no such tools. */
    sourceTools: z.array(pinnedSourceToolSchema).optional(),
    /** The tools of tool sources that the execution does not get, because they are held; absent if there are none. */
    heldTools: heldToolsSchema.optional(),
    /** The tools that are deferred; absent if every model turn carries all tools. */
    toolSearch: toolDeferralSchema.optional(),
    /** `recorded` if nothing leaves the gateway; absent for an execution that sends requests. */
    mode: z.literal("recorded").optional(),
    /** The execution that this one replays; absent if it is not a replay. */
    replayOf: executionIdSchema.optional(),
  }),
  /** Which capabilities serve the agent's intents from this model turn on, and why; only if something has changed. */
  event("route.decided", routeDecisionSchema.shape),
  event("model.requested", {
    ...modelCall,
    model: z.string(),
    /** Whether the reply comes from a recording, so that the model gets no request; absent if it gets one. */
    isRecorded: z.boolean().optional(),
  }),
  /** A request to the model failed. Text deltas of this request are void. `retryAt` is null if no retry follows. */
  event("model.failed", {
    ...modelCall,
    error: executionErrorSchema,
    retryAt: timestampSchema.nullable(),
    /** Whether the request ended because the gateway was restarted. This does not count as a retry. */
    isInterruption: z.boolean().optional(),
    /** Usage that the provider reported despite the failure; absent if it reported none. */
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
    /** What the provider reported about its response; absent if it reported nothing. */
    response: modelResponseSchema.optional(),
    /** Calls to tools that the provider ran itself, in order; absent if there were none. */
    hostedCalls: z.array(hostedCallSchema).optional(),
    /** Sources of the reply; absent if the provider reported none. */
    sources: z.array(sourceSchema).optional(),
  }),
  event("tool_call.requested", {
    ...toolCall,
    turn,
    name: z.string(),
    /** Kind of the tool; null if the agent has no such tool. */
    kind: toolKindSchema.nullable(),
    parameters: jsonValueSchema,
    sideEffect: sideEffectSchema.nullable(),
    risk: riskClassSchema.nullable(),
    policyDecision: policyDecisionSchema.nullable(),
    /**
     * Names of the secrets whose values the model wrote into the arguments. The values appear as `***NAME***`. Absent
     * if there are none.
     */
    leakedSecrets: z.array(z.string()).optional(),
    /** Selects the part of the result that the model will read; absent if the tool has no projection. */
    projection: z.looseObject(projectionSchema.shape).optional(),
    /** The capability that serves the call of an intent's tool; absent for other tools. */
    capability: capabilityVersionSchema.optional(),
    /** Whether the result is untrusted content. */
    isUntrusted: z.boolean().optional(),
    /** The nonce of the frame around the result; absent if the result cannot be untrusted content. */
    frameNonce: z.string().optional(),
  }),
  /**
   * Another capability serves the call from now on, because the one before it failed for a reason that others may not
   * share.
   */
  event("route.changed", {
    ...toolCall,
    from: capabilityVersionSchema,
    to: capabilityVersionSchema,
    /** Why the call moved. */
    error: z.looseObject({ code: z.string(), message: z.string() }),
    kind: toolKindSchema,
    sideEffect: sideEffectSchema.nullable(),
    risk: riskClassSchema.nullable(),
    policyDecision: policyDecisionSchema,
    projection: z.looseObject(projectionSchema.shape).optional(),
    isUntrusted: z.boolean().optional(),
    /** The cost of the capability before it, if no attempt contains it; absent if it is 0. */
    cost: costSchema.optional(),
  }),
  /** The policy or an approver denied the call, or its approval expired. */
  event("tool_call.denied", { ...toolCall, error: toolErrorSchema }),
  /** The call needs an approval. Nothing is sent before it is approved. */
  event("approval.requested", {
    ...toolCall,
    approvalId: approvalIdSchema,
    expiresAt: timestampSchema,
    /** The hash of what would be sent. */
    requestHash: z.string(),
  }),
  event("approval.resolved", {
    ...toolCall,
    approvalId: approvalIdSchema,
    status: z.enum(["approved", "denied", "expired", "cancelled"]),
    /** The API key of the approver; null for the bootstrap key, absent if there was no decision. */
    keyId: z.string().nullable().optional(),
    /** Whether the approver's key also started the execution. */
    isSelfApproval: z.boolean().optional(),
    comment: z.string().optional(),
    reason: z.string().optional(),
    /**
     * Arguments that replace the model's arguments, and the hash of the new request. Both are absent if the approver
     * changed nothing.
     */
    parameters: jsonObjectSchema.optional(),
    requestHash: z.string().optional(),
  }),
  event("attempt.started", {
    ...attempt,
    method: z.string(),
    url: z.string(),
    /** Name of the secret that the request used; several names are separated by commas. */
    credential: z.string().optional(),
    /** Present for a call of a tool of an MCP server: the method, and the name of the tool source. */
    mcp: z.looseObject({ method: z.string(), server: z.string() }).optional(),
    deadline: timestampSchema,
    /** When the callback of an `async` tool expires: the same time in every attempt of a call. */
    callbackUntil: timestampSchema.optional(),
    /** Whether the attempt only reads the response to the attempt before it, and calls nothing. */
    isResumption: z.boolean().optional(),
  }),
  /**
   * The response to a running attempt can be read from here by any process. If the gateway stops, the next attempt
   * reads it.
   */
  event("attempt.resumable", { ...attempt, resumption: resumptionSchema }),
  event("attempt.finished", {
    ...attempt,
    durationMs: z.number().nullable(),
    timings: timingsSchema.nullable(),
    /** The URL that was called, if it contains a credential; otherwise, `attempt.started` contains the URL. */
    url: z.string().optional(),
    httpStatus: z.int().optional(),
    requestBytes: z.int().min(0),
    responseBytes: z.int().min(0),
    errorCode: z.string().optional(),
    outcome: z.enum(["none", "unknown"]).optional(),
    /** Whether the response had status 202, so that a callback will deliver the result. */
    isPending: z.boolean().optional(),
    /**
     * `required`: the tool requires input before it continues. `expired`: the server no longer accepts the state of the
     * round, so the call starts over. Neither counts as a retry.
     */
    input: attemptInputSchema.optional(),
    /** When the next attempt starts; absent if there is none. */
    retryAt: timestampSchema.optional(),
    /** Cost of this attempt; absent if it cost nothing. */
    cost: costSchema.optional(),
    /** Whether the gateway was restarted while the attempt was in flight. This does not count as a retry. */
    isInterruption: z.boolean().optional(),
    /** Whether the attempt could not read the response to the previous attempt. This does not count as a retry. */
    isResumptionLost: z.boolean().optional(),
  }),
  /**
   * The tool requires input. The call waits for a person's answers, unless there are no questions: in that case, the
   * tool only has to be called again.
   */
  event("input.requested", {
    ...toolCall,
    /** Number of the round within the call, from 1. */
    round: z.int().min(1),
    questions: z.array(inputQuestionSchema),
    /** The state that the server expects back with the answers; opaque. */
    requestState: z.string().optional(),
    expiresAt: timestampSchema,
  }),
  /** A person answered the questions of the round. */
  event("input.received", {
    ...toolCall,
    round: z.int().min(1),
    answers: recordedAnswersSchema,
    /** The API key that answered; null for the bootstrap key. */
    keyId: z.string().nullable(),
  }),
  /** The questions of the round are no longer open, although there is no answer. */
  event("input.withdrawn", { ...toolCall, round: z.int().min(1), status: z.enum(["expired", "cancelled"]) }),
  /** The server of the task has received the answers of the round. */
  event("input.delivered", { ...toolCall, round: z.int().min(1) }),
  /**
   * The MCP server continues the call as a task. The gateway polls the task until it ends, at most until
   * `expiresAt`.
   */
  event("task.created", {
    ...toolCall,
    /** The server's id for the task; opaque. */
    taskId: z.string(),
    /** Time in ms until the server may discard the task, unless it extends that time; null if it never does. */
    ttlMs: z.int().min(0).nullable(),
    /** Polling interval in ms, unless the server suggests another one later. */
    pollIntervalMs: z.int().min(1),
    expiresAt: timestampSchema,
  }),
  /**
   * The call failed. With `fallbackUntil`, the gateway holds the call until then for a fallback; otherwise, the call
   * has ended.
   */
  event("tool_call.failed", {
    ...toolCall,
    error: toolErrorSchema,
    fallbackUntil: timestampSchema.optional(),
    /** Cost of all attempts and model calls; absent if it is 0, and while the call is held. */
    cost: costSchema.optional(),
    modelCalls,
  }),
  event("fallback.received", { ...toolCall, isDeclined: z.boolean(), result: jsonValueSchema.optional() }),
  /** A callback delivered the result or the error of an asynchronous call. Only the first callback counts. */
  event("callback.received", {
    ...toolCall,
    /** `sha256:` and 64 hex digits: the hash of the body. A repeated callback with the same body changes nothing. */
    bodyHash: z.string(),
    result: jsonValueSchema.optional(),
    error: handlerErrorSchema.optional(),
  }),
  /** A response arrived after the gateway had given up on the attempt. It is recorded but not used. */
  event("tool_call.late", {
    ...toolCall,
    attemptId: attemptIdSchema,
    httpStatus: z.int().optional(),
    /** Time from the start of the attempt's request to the end of its response, in ms. */
    elapsedMs: z.number().optional(),
    responseBytes: z.int().min(0).optional(),
  }),
  event("tool_call.completed", {
    ...toolCall,
    result: jsonValueSchema,
    via: viaSchema.optional(),
    /**
     * Length of the part that the model reads, in characters; absent if the tool has no projection, because the model
     * then reads the complete result.
     */
    readCharacters: z.int().min(0).optional(),
    /** Cost of all attempts and model calls. */
    cost: costSchema,
    modelCalls,
  }),
  /** Deferred tools were loaded. Every later model turn carries their definitions, in this order. */
  event("tools.loaded", {
    /** The search that found them, or the call of the tool. */
    ...toolCall,
    /** Names of the tools, in order of discovery. Each tool is loaded once. */
    tools: z.array(z.string()).min(1),
    reason: loadReasonSchema,
  }),
  /** Citations are required, and the reply of this model turn has none. The model is asked once more. */
  event("citations.requested", {
    turn,
    /** What the model reads. */
    message: z.string(),
  }),
  event("limit.reached", { limit: limitNameSchema, message: z.string() }),
  /**
   * The execution waits until `until`. With the reason `restart`, no gateway has run the execution since the previous
   * event; `until` is then the time of this event, so the execution continues immediately.
   */
  event("execution.waiting", {
    reason: z.enum(["fallback", "retry", "approval", "callback", "input", "task", "restart"]),
    until: timestampSchema,
    /** Whether the time since the previous event is excluded from `maxWallTimeMs`. */
    isInterruption: z.boolean().optional(),
    /** Whether tools may have called a model before the restart, at an unknown cost. */
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
/**
 * The events as a client receives them: known events, with open enumerations, and events of unknown types, unchanged.
 */
export const receivedEventSchema = openResponse(executionEventSchema);
export type ReceivedEvent = z.infer<typeof receivedEventSchema>;

export type ExecutionEventType = ExecutionEvent["type"];

/**
 * A chunk of the model's text, sent while the model is writing. It has no number, is not stored, and is not repeated
 * after a reconnect.
 */
export const textDeltaSchema = z.looseObject({
  type: z.literal("text.delta"),
  executionId: executionIdSchema,
  turn,
  text: z.string(),
});
export type TextDelta = z.infer<typeof textDeltaSchema>;

/** Everything that the stream of an execution can contain. */
export type StreamEvent = ReceivedEvent | TextDelta;

/** Types of events that may occur while an execution is waiting, and after which it still is. */
export const PASSIVE_EVENT_TYPES: ReadonlySet<string> = new Set<ExecutionEvent["type"]>([
  "execution.cancel_requested",
  "approval.resolved",
  "callback.received",
  "fallback.received",
  "input.received",
  "tool_call.late",
]);

/** Types of events that end an execution. */
export const FINAL_EVENT_TYPES: ReadonlySet<string> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
]);
