import type {
  Cost,
  ExecutionEvent,
  HandlerError,
  HostedCall,
  JsonObject,
  JsonValue,
  ModelCall,
  ModelResponse,
  PolicyDecision,
  Projection,
  RiskClass,
  SideEffect,
  Source,
  Timings,
  TokenUsage,
  ToolKind,
} from "@yagate/protocol";
import type { CallAnswer, Failure } from "../../calls/port.ts";

export type { Failure };

/** The decisions about a call before it runs. */
export interface Admission {
  readonly kind: ToolKind | null;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  readonly policyDecision: PolicyDecision | null;
  /** Set if the call may not run: unknown tool, invalid arguments, policy. */
  readonly refusal?: Failure & { readonly isDenied: boolean };
  /** Names of the secrets whose values the arguments contained; absent if none. */
  readonly leakedSecrets?: readonly string[];
  /** The part of its result that the model will read; absent: all of it. */
  readonly projection?: Projection;
  /** Its result is untrusted content; absent if not. */
  readonly isUntrusted?: boolean;
  /** For a call that may return untrusted content: the nonce of the frame of its result. */
  readonly frameNonce?: string;
  /** Set if the call needs an approval: the approval's id, and the hash of the request that the approver sees. */
  readonly approval?: { readonly approvalId: string; readonly requestHash: string };
}

/** One tool call of a model turn, admitted or refused. */
export interface AdmittedCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly parameters: JsonValue;
  readonly admission: Admission;
}

export type FinishReason = Extract<ExecutionEvent, { type: "model.responded" }>["finishReason"];

/** What happened outside the machine. The owner of the execution passes it to `advance`. */
export type MachineInput =
  /** The first step, or a time at which the machine asked to be advanced. */
  | { readonly type: "tick" }
  /** Another owner ran it before: effects that were running then will never report. */
  | { readonly type: "recovered" }
  | {
      readonly type: "model_responded";
      readonly turn: number;
      readonly attempt: number;
      readonly text: string;
      readonly finishReason: FinishReason;
      readonly calls: readonly AdmittedCall[];
      readonly usage: TokenUsage;
      readonly cost: Cost;
      readonly response?: ModelResponse;
      /** Calls of provider-run tools. */
      readonly hostedCalls?: readonly HostedCall[];
      readonly sources?: readonly Source[];
    }
  | {
      readonly type: "model_failed";
      readonly turn: number;
      readonly attempt: number;
      readonly code: string;
      readonly message: string;
      /** Why a reply could not be read. */
      readonly developerMessage?: string;
      readonly isRetryable: boolean;
      readonly retryAfterMs?: number;
      /** What the provider charged in spite of the failure. */
      readonly spending?: { readonly usage: TokenUsage; readonly cost: Cost };
    }
  | {
      readonly type: "attempt_finished";
      readonly toolCallId: string;
      readonly attemptId: string;
      readonly outcome: CallAnswer;
      /** The URL that was requested, if it is known better now than when the attempt started. */
      readonly url?: string;
      readonly durationMs: number;
      readonly timings: Timings;
      readonly httpStatus?: number;
      readonly requestBytes: number;
      readonly responseBytes: number;
      readonly cost: Cost;
    }
  /** A response that arrived after its attempt had been abandoned. */
  | {
      readonly type: "attempt_late";
      readonly toolCallId: string;
      readonly attemptId: string;
      readonly httpStatus: number;
      readonly elapsedMs: number;
      readonly responseBytes: number;
    }
  | {
      readonly type: "inline_finished";
      readonly toolCallId: string;
      readonly outcome: { readonly result: JsonValue } | { readonly failure: Failure };
      /** Without the cost of `modelCalls`. */
      readonly cost: Cost;
      /** The model calls of the tool; default none. */
      readonly modelCalls?: readonly ModelCall[];
    };

/** The person who decides about an approval. */
export interface Approver {
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** The same key started the execution. */
  readonly isSelfApproval: boolean;
}

/** A change that the API, or an earlier owner, makes to an execution that another owner may be running. */
export type Command =
  | { readonly type: "cancel" }
  | Extract<MachineInput, { type: "attempt_late" }>
  | {
      readonly type: "approve";
      readonly approvalId: string;
      readonly by: Approver;
      readonly comment?: string;
      /** Validated arguments that replace the model's, and the hash of the request that follows from them. */
      readonly edit?: { readonly parameters: JsonObject; readonly requestHash: string };
    }
  | { readonly type: "deny"; readonly approvalId: string; readonly by: Approver; readonly reason?: string }
  /** The outcome of an asynchronous call, verified and with an error of bounded length. */
  | {
      readonly type: "callback";
      readonly toolCallId: string;
      readonly bodyHash: string;
      readonly outcome: { readonly result: JsonValue } | { readonly error: HandlerError };
    }
  | {
      readonly type: "fallback";
      readonly toolCallId: string;
      readonly fallback: { readonly result: JsonValue } | "decline";
    };
