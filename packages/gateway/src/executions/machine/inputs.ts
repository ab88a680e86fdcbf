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

/** What was decided about a call before anything runs. */
export interface Admission {
  readonly kind: ToolKind | null;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  readonly policyDecision: PolicyDecision | null;
  /** Set when the call may not run: unknown tool, wrong arguments, policy. */
  readonly refusal?: Failure & { readonly isDenied: boolean };
  /** Names of the secrets whose values stood in the arguments; absent where none did. */
  readonly leakedSecrets?: readonly string[];
  /** What of its result the model will read; absent where the tool does not say. */
  readonly projection?: Projection;
  /** What it brings was written by others; absent where it was not. */
  readonly isUntrusted?: boolean;
  /** Of a call that may bring what others wrote: what marks the frame of its result. */
  readonly frameNonce?: string;
  /** Set when a person must agree first: under which id they are asked, and the hash of what they are shown. */
  readonly approval?: { readonly approvalId: string; readonly requestHash: string };
}

/** One call of a model turn, admitted or refused. */
export interface AdmittedCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly parameters: JsonValue;
  readonly admission: Admission;
}

export type FinishReason = Extract<ExecutionEvent, { type: "model.responded" }>["finishReason"];

/** What happened outside the machine. */
export type MachineInput =
  /** A first step, or a moment that the machine asked to be woken at. */
  | { readonly type: "tick" }
  /** Another owner was here before: whatever was on its way then will never report. */
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
      /** Tools that the provider ran itself. */
      readonly hostedCalls?: readonly HostedCall[];
      readonly sources?: readonly Source[];
    }
  | {
      readonly type: "model_failed";
      readonly turn: number;
      readonly attempt: number;
      readonly code: string;
      readonly message: string;
      /** Why an answer could not be read. */
      readonly developerMessage?: string;
      readonly isRetryable: boolean;
      readonly retryAfterMs?: number;
      /** What the provider counted all the same. */
      readonly spending?: { readonly usage: TokenUsage; readonly cost: Cost };
    }
  | {
      readonly type: "attempt_finished";
      readonly toolCallId: string;
      readonly attemptId: string;
      readonly answer: CallAnswer;
      /** What was called, where that is known better now than when the attempt began. */
      readonly url?: string;
      readonly durationMs: number;
      readonly timings: Timings;
      readonly httpStatus?: number;
      readonly requestBytes: number;
      readonly responseBytes: number;
      readonly cost: Cost;
    }
  /** The answer of an attempt that was given up long ago. */
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
      readonly answer: { readonly result: JsonValue } | { readonly failure: Failure };
      /** Without that of `modelCalls`. */
      readonly cost: Cost;
      /** What the tool asked of the agent's model; none by default. */
      readonly modelCalls?: readonly ModelCall[];
    };

/** Who answers for a person. */
export interface Approver {
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  /** The key had started the execution itself. */
  readonly isSelfApproval: boolean;
}

/** What may be said to an execution that somebody else advances: by the API, or by who advanced it before. */
export type Command =
  | { readonly type: "cancel" }
  | Extract<MachineInput, { type: "attempt_late" }>
  | {
      readonly type: "approve";
      readonly approvalId: string;
      readonly by: Approver;
      readonly comment?: string;
      /** Arguments in the place of the model's, which were checked, and the hash of what they come to. */
      readonly edit?: { readonly parameters: JsonObject; readonly requestHash: string };
    }
  | { readonly type: "deny"; readonly approvalId: string; readonly by: Approver; readonly reason?: string }
  /** The outcome of an asynchronous call, which was checked; its error is bounded. */
  | {
      readonly type: "callback";
      readonly toolCallId: string;
      readonly bodyHash: string;
      readonly answer: { readonly result: JsonValue } | { readonly error: HandlerError };
    }
  | {
      readonly type: "fallback";
      readonly toolCallId: string;
      readonly answer: { readonly result: JsonValue } | "decline";
    };
