import { DEFAULT_LIMITS, type Limits } from "@yagate/protocol";
import fc from "fast-check";
import type { ToolTraits } from "../../src/execution-config.ts";
import type { FinishReason } from "../../src/inputs.ts";

/** Asked for by a model, had by no agent. */
export const GONE = "gone";

/** Tools of every kind that the machine distinguishes. */
export const TOOLS: Readonly<Record<Exclude<ToolName, typeof GONE>, Partial<ToolTraits>>> = {
  read: { sideEffect: "read_only", retries: 2 },
  idempotent: { sideEffect: "idempotent_write", retries: 1 },
  write: { sideEffect: "non_idempotent_write", retries: 3 },
  destroy: { sideEffect: "destructive" },
  plain: {},
  patient: { retries: 2 },
  capped: { sideEffect: "read_only", maxCallsPerTurn: 1 },
  sum: { executor: "inline" },
  keyed: { sideEffect: "non_idempotent_write", retries: 1, resourceKeyOf: () => "the one" },
  grouped: { parallelGroup: "first", retries: 1 },
  regrouped: { parallelGroup: "second", dependsOn: ["grouped"] },
  dependent: { sideEffect: "destructive", dependsOn: ["read", "sum"] },
  after_capped: { dependsOn: ["capped"] },
  guarded: { sideEffect: "destructive", retries: 1 },
  guarded_sum: { executor: "inline" },
  guarded_keyed: { sideEffect: "destructive", resourceKeyOf: () => "the one", dependsOn: ["plain"] },
  deferring: { isAsync: true, sideEffect: "idempotent_write", retries: 2 },
  deferring_write: { isAsync: true, sideEffect: "non_idempotent_write", retries: 1 },
  deferring_keyed: { isAsync: true, sideEffect: "non_idempotent_write", resourceKeyOf: () => "the one" },
  asking: { sideEffect: "read_only", retries: 1 },
  asking_write: { sideEffect: "non_idempotent_write", retries: 1 },
  tasking: { sideEffect: "read_only", retries: 1 },
  tasking_write: { sideEffect: "non_idempotent_write", retries: 1 },
  asking_keyed: { sideEffect: "destructive", resourceKeyOf: () => "the one", dependsOn: ["asking"] },
};

/** Tools whose calls need an approval. */
export const GUARDED: ReadonlySet<string> = new Set(["guarded", "guarded_sum", "guarded_keyed"]);

/** Tools that may ask questions. */
export const ASKING: ReadonlySet<string> = new Set(["asking", "asking_write", "asking_keyed"]);

/** Tools whose server may continue calls as tasks. */
export const TASKING: ReadonlySet<string> = new Set(["tasking", "tasking_write"]);

export type ToolName =
  | "read"
  | "idempotent"
  | "write"
  | "destroy"
  | "plain"
  | "patient"
  | "capped"
  | "sum"
  | "keyed"
  | "grouped"
  | "regrouped"
  | "dependent"
  | "after_capped"
  | "guarded"
  | "guarded_sum"
  | "guarded_keyed"
  | "deferring"
  | "deferring_write"
  | "deferring_keyed"
  | "asking"
  | "asking_write"
  | "asking_keyed"
  | "tasking"
  | "tasking_write"
  | typeof GONE;

export interface AskedCall {
  /** Its place among the tools of the scene. */
  readonly tool: number;
  readonly refusal?: "INVALID_ARGUMENTS" | "POLICY_DENIED";
}

export type Answer =
  | { readonly how: "result"; readonly size: number }
  /** Of an asynchronous tool; of any other it is a result. */
  | { readonly how: "pending"; readonly size: number }
  /** Of a tool that may ask; of any other it is a result. */
  | { readonly how: "asks"; readonly questions: number; readonly size: number }
  /** Of a tool whose server may continue calls as tasks; of any other it is a result. */
  | { readonly how: "continues"; readonly size: number }
  /** Of a call with answers or of a resumed one, whose server no longer knows of it; of any other it is a result. */
  | { readonly how: "forgets"; readonly size: number }
  | { readonly how: "down" | "timeout" | "cancelled" | "said_no"; readonly retryAfterMs?: number };

/** What may happen to an execution, from outside the machine. Each `place` is an index, modulo the number of candidates. */
export type Move =
  | { readonly type: "model"; readonly calls: readonly AskedCall[]; readonly finishReason: FinishReason }
  /** So many times in a row, each after the pause that the machine asked for. */
  | {
      readonly type: "model_fails";
      readonly times: number;
      readonly isRetryable: boolean;
      readonly retryAfterMs?: number;
    }
  | { readonly type: "answer"; readonly place: number; readonly answer: Answer; readonly costUsd: number }
  /** A report that was given before, or that a process took with it when it died. */
  | { readonly type: "stale"; readonly place: number }
  | { readonly type: "late"; readonly place: number }
  /** Another process could read the response to a running attempt. */
  | { readonly type: "resumable"; readonly place: number; readonly eventId: string }
  /** The next time that the machine asked for; the end of all its time only with patience. */
  | { readonly type: "wake"; readonly isPatient: boolean }
  /** Time passes; unnoticed, no tick follows. */
  | { readonly type: "pass"; readonly ms: number; readonly isNoticed: boolean }
  | { readonly type: "crash"; readonly times: number; readonly isBeforeCommit: boolean; readonly downMs: number }
  /** A stop in good order: what comes in is written down, and nothing follows from it until the next start. */
  | { readonly type: "suspend"; readonly downMs: number }
  /** A command is in the log at once; its owner acts on it when it notices. */
  | { readonly type: "cancel"; readonly isNoticed: boolean }
  | {
      readonly type: "fallback";
      readonly place: number;
      readonly isDeclined: boolean;
      /** It comes when the hold is over, and its owner has not looked at the clock yet. */
      readonly isTooLate: boolean;
      readonly next: AfterFallback;
    }
  | {
      readonly type: "approval";
      readonly place: number;
      readonly answer: "approve" | "edit" | "deny";
      readonly isTooLate: boolean;
      readonly next: AfterFallback;
    }
  | InputMove
  | CallbackMove;

/** A person's answers to the questions of a call. */
export interface InputMove {
  readonly type: "input";
  readonly place: number;
  readonly isTooLate: boolean;
  /** For the round before the current one. */
  readonly isStale: boolean;
  readonly next: AfterFallback;
}

/** A callback of an asynchronous call. */
export interface CallbackMove {
  readonly type: "callback";
  readonly place: number;
  readonly isError: boolean;
  readonly isTooLate: boolean;
  /** Once more afterwards: the same, or another one. */
  readonly again: "same" | "other" | "no";
  readonly next: AfterFallback;
}

export type AfterFallback = "noticed" | "unnoticed" | "cancelled";

const name = fc.constantFrom<ToolName>(
  "read",
  "idempotent",
  "write",
  "destroy",
  "plain",
  "patient",
  "capped",
  "sum",
  "keyed",
  "grouped",
  "regrouped",
  "dependent",
  "after_capped",
  "guarded",
  "guarded",
  "guarded_sum",
  "guarded_keyed",
  "deferring",
  "deferring",
  "deferring_write",
  "deferring_keyed",
  "asking",
  "asking",
  "asking_write",
  "asking_keyed",
  GONE,
);

const tool = fc.nat(2);

const askedCall: fc.Arbitrary<AskedCall> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ tool }) },
  {
    weight: 1,
    arbitrary: fc.record({ tool, refusal: fc.constantFrom("INVALID_ARGUMENTS" as const, "POLICY_DENIED" as const) }),
  },
);

const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ how: fc.constant("result" as const), size: fc.constantFrom(1, 1, 1, 40, 400) }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constant("pending" as const), size: fc.constant(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      how: fc.constant("asks" as const),
      questions: fc.constantFrom(1, 1, 2, 0),
      size: fc.constant(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constant("forgets" as const), size: fc.constant(1) }) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        how: fc.constantFrom("down" as const, "timeout" as const, "cancelled" as const, "said_no" as const),
        retryAfterMs: fc.constantFrom(0, 0, 3_000, 9_000, 400_000),
      },
      { requiredKeys: ["how"] },
    ),
  },
);

const place = fc.nat(9);
const downMs = fc.constantFrom(0, 50, 5_000, 10_000_000);

export const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("model" as const),
      calls: fc.oneof(
        { weight: 15, arbitrary: fc.array(askedCall, { minLength: 1, maxLength: 5 }) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
      finishReason: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom("tool_calls" as const, "stop" as const) },
        { weight: 1, arbitrary: fc.constantFrom("length" as const, "refused" as const, "other" as const) },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constant("model_fails" as const),
        times: fc.constantFrom(1, 1, 1, 6),
        isRetryable: fc.oneof(
          { weight: 4, arbitrary: fc.constant(true) },
          { weight: 1, arbitrary: fc.constant(false) },
        ),
        retryAfterMs: fc.constantFrom(0, 0, 2_000, 9_000, 400_000),
      },
      { requiredKeys: ["type", "times", "isRetryable"] },
    ),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      place,
      answer,
      costUsd: fc.constantFrom(0, 0, 0, 0.1, 0.3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("stale" as const), place }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("late" as const), place }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("resumable" as const), place, eventId: fc.constantFrom("1", "2") }),
  },
  { weight: 8, arbitrary: fc.constant({ type: "wake" as const, isPatient: false }) },
  { weight: 1, arbitrary: fc.constant({ type: "wake" as const, isPatient: true }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("pass" as const),
      ms: fc.constantFrom(0, 1, 100, 3_000, 5_000),
      isNoticed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("crash" as const),
      times: fc.constantFrom(1, 1, 1, 1, 1, 25),
      isBeforeCommit: fc.boolean(),
      downMs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("suspend" as const), downMs }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cancel" as const), isNoticed: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("fallback" as const),
      place,
      isDeclined: fc.boolean(),
      isTooLate: fc.constantFrom(false, false, false, true),
      next: fc.constantFrom<AfterFallback>("noticed", "noticed", "unnoticed", "cancelled"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("approval" as const),
      place,
      answer: fc.constantFrom("approve" as const, "approve" as const, "edit" as const, "deny" as const),
      isTooLate: fc.constantFrom(false, false, false, false, true),
      next: fc.constantFrom<AfterFallback>("noticed", "noticed", "unnoticed", "cancelled"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("input" as const),
      place,
      isTooLate: fc.constantFrom(false, false, false, false, true),
      isStale: fc.constantFrom(false, false, false, true),
      next: fc.constantFrom<AfterFallback>("noticed", "noticed", "unnoticed", "cancelled"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("callback" as const),
      place,
      isError: fc.constantFrom(false, false, true),
      isTooLate: fc.constantFrom(false, false, false, false, true),
      again: fc.constantFrom("no" as const, "same" as const, "other" as const),
      next: fc.constantFrom<AfterFallback>("noticed", "noticed", "unnoticed", "cancelled"),
    }),
  },
);

/** How one history is played. */
export interface Scene {
  /** The tools that its model asks for: few, so that the same ones come again. */
  readonly tools: readonly ToolName[];
  readonly moves: readonly Move[];
  readonly limits: Limits;
  readonly fallbackWaitMs: number | null;
  readonly random: number;
}

// One or two at a time: otherwise the tightest would end every history before the others could.
const limits: fc.Arbitrary<Limits> = fc
  .array(
    fc.oneof<fc.Arbitrary<Partial<Limits>>[]>(
      fc.record({ maxToolIterations: fc.constantFrom(0, 1, 2, 4) }),
      fc.record({ maxToolCallsPerTurn: fc.constantFrom(1, 2, 4) }),
      fc.record({ maxWallTimeMs: fc.constantFrom(1, 200, 5_000, 60_000) }),
      fc.record({ maxToolCostUsd: fc.constantFrom(0, 0.1, 0.3) }),
      fc.record({ maxToolResultTokens: fc.constantFrom(1, 50, 200) }),
      fc.record({ maxSameToolRetries: fc.constantFrom(0, 1) }),
      fc.record({ maxCostUsd: fc.constantFrom(0, 0.1, 0.3) }),
      fc.record({ maxTotalTokens: fc.constantFrom(1, 20, 60) }),
    ),
    { maxLength: 2 },
  )
  .map((lowered) => Object.assign({ ...DEFAULT_LIMITS }, ...lowered));

export const scene: fc.Arbitrary<Scene> = fc.record({
  tools: fc.array(name, { minLength: 1, maxLength: 3 }),
  moves: fc.array(move, { maxLength: 60, size: "max" }),
  limits,
  fallbackWaitMs: fc.constantFrom(null, 5_000, 5_000),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});
