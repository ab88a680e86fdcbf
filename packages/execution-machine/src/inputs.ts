import type {
  CapabilityVersion,
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
  RecordedAnswers,
  Resumption,
  RiskClass,
  SideEffect,
  Source,
  Timings,
  TokenUsage,
  ToolKind,
} from "@yagate/protocol";
import type { CallAnswer, Failure, TaskOutcome } from "./call-outcome.ts";

/** The decisions about a call that are made before it runs. */
export interface Admission {
  readonly kind: ToolKind | null;
  readonly sideEffect: SideEffect | null;
  readonly risk: RiskClass | null;
  readonly policyDecision: PolicyDecision | null;
  /** The reason why the call may not run: an unknown tool, invalid arguments, or the policy. Absent if it may. */
  readonly refusal?: Failure & {
    readonly isDenied: boolean;
    /** Names of deferred tools that are loaded because the model called one of them. */
    readonly loads?: readonly string[];
  };
  /** Names of the secrets whose values the arguments contained; absent if there were none. */
  readonly leakedSecrets?: readonly string[];
  /** The part of the result that the model will read; absent for the complete result. */
  readonly projection?: Projection;
  /** Whether the result is untrusted content; absent if not. */
  readonly isUntrusted?: boolean;
  /** The nonce of the frame around the result, for a call that may return untrusted content. */
  readonly frameNonce?: string;
  /** For a call that needs an approval: the approval's id, and the hash of the request that the approver sees. */
  readonly approval?: { readonly approvalId: string; readonly requestHash: string };
}

/** One tool call of a model turn, with the decision whether it may run. */
export interface AdmittedCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly parameters: JsonValue;
  /** The capability that serves the call; absent for a tool that is not an intent's. */
  readonly capability?: CapabilityVersion;
  readonly admission: Admission;
}

export type FinishReason = Extract<ExecutionEvent, { type: "model.responded" }>["finishReason"];

/** Something that happened outside the machine. The owner of the execution passes it to `advance`. */
export type MachineInput =
  /** The first step, or a time at which the machine must be advanced. */
  | { readonly type: "tick" }
  /** Another owner ran the execution before. The effects that were running then will never report. */
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
      /** The reason why a reply could not be read. */
      readonly developerMessage?: string;
      readonly isRetryable: boolean;
      readonly retryAfterMs?: number;
      /** What the provider charged although the request failed. */
      readonly spending?: { readonly usage: TokenUsage; readonly cost: Cost };
    }
  | {
      readonly type: "attempt_finished";
      readonly toolCallId: string;
      readonly attemptId: string;
      readonly outcome: CallAnswer;
      /** The requested URL, if it was not fully known when the attempt started. */
      readonly url?: string;
      readonly durationMs: number;
      readonly timings: Timings;
      readonly httpStatus?: number;
      readonly requestBytes: number;
      readonly responseBytes: number;
      readonly cost: Cost;
    }
  /** Another process could read the response to a running attempt. */
  | {
      readonly type: "attempt_resumable";
      readonly toolCallId: string;
      readonly attemptId: string;
      readonly resumption: Resumption;
    }
  /** A response that arrived after its attempt had timed out. */
  | {
      readonly type: "attempt_late";
      readonly toolCallId: string;
      readonly attemptId: string;
      readonly httpStatus: number;
      readonly elapsedMs: number;
      readonly responseBytes: number;
    }
  /** What the server of a task says about it. A task that is still working is not reported. */
  | { readonly type: "task_reported"; readonly toolCallId: string; readonly outcome: TaskOutcome }
  | {
      readonly type: "inline_finished";
      readonly toolCallId: string;
      readonly outcome:
        | {
            readonly result: JsonValue;
            /** Names of the deferred tools that the call has found; default: none. */
            readonly foundTools?: readonly string[];
          }
        | { readonly failure: Failure };
      /** The cost of the call, without that of `modelCalls`. */
      readonly cost: Cost;
      /** The model calls that the tool made; default: none. */
      readonly modelCalls?: readonly ModelCall[];
      /** `recording` if the outcome was recorded. */
      readonly via?: "recording";
    }
  /** The recording contains no outcome of a call, so the execution can't continue. */
  | { readonly type: "replay_diverged"; readonly toolCallId: string; readonly message: string };

/** The person who decides on an approval, identified by an API key. */
export interface Approver {
  /** Id of the API key; null for the bootstrap key. */
  readonly keyId: string | null;
  /** Whether the same key started the execution. */
  readonly isSelfApproval: boolean;
}

/**
 * A change to an execution that is made by the API or by an earlier owner, while another owner may be running the
 * execution.
 */
export type Command =
  | { readonly type: "cancel" }
  | Extract<MachineInput, { type: "attempt_late" }>
  | {
      readonly type: "approve";
      readonly approvalId: string;
      readonly by: Approver;
      readonly comment?: string;
      /** Validated arguments that replace the model's, and the hash of the request that results from them. */
      readonly edit?: { readonly parameters: JsonObject; readonly requestHash: string };
    }
  /** The tool may no longer run, so nothing is left to approve. */
  | { readonly type: "withdraw"; readonly approvalId: string; readonly failure: Failure }
  | { readonly type: "deny"; readonly approvalId: string; readonly by: Approver; readonly reason?: string }
  /** The outcome of an asynchronous call, after its signature was verified and the length of an error was limited. */
  | {
      readonly type: "callback";
      readonly toolCallId: string;
      /** Number of times that the call had moved when its callback was announced; default 0. */
      readonly moves?: number;
      readonly bodyHash: string;
      readonly outcome: { readonly result: JsonValue } | { readonly error: HandlerError };
    }
  /** A person's answers, which were checked against the questions. */
  | {
      readonly type: "input";
      readonly toolCallId: string;
      readonly round: number;
      readonly answers: RecordedAnswers;
      /** Id of the API key; null for the bootstrap key. */
      readonly keyId: string | null;
    }
  | {
      readonly type: "fallback";
      readonly toolCallId: string;
      readonly fallback: { readonly result: JsonValue } | "decline";
    };
