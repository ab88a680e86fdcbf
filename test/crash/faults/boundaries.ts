/**
 * The moments of an execution's way at which a process can be made to end, in their order. Each is crossed many times
 * in one execution.
 */
export const BOUNDARIES = [
  /** An execution was asked for; nothing is written. */
  "before_acceptance",
  /** It is written; nobody was told. */
  "after_acceptance",
  /** An attempt was decided on; its intent is not in the log. */
  "before_intent",
  /** The intent is in the log. */
  "after_intent",
  /** The last check before the request was passed; nothing has left. */
  "before_send",
  /** The request has left. */
  "after_send",
  /** Some requests of a turn have left, and others have not. */
  "between_sends",
  /** The whole answer was read; nobody has looked at it. */
  "after_answer",
  /** What came of the attempt is known; it is not in the log. */
  "before_outcome",
  /** It is in the log. */
  "after_outcome",
  /** Some calls of a turn have their outcome in the log, and others are on their way. */
  "between_outcomes",
] as const;

export type Boundary = (typeof BOUNDARIES)[number];

/** How a life comes to its end by itself. */
export interface Fault {
  readonly boundary: Boundary;
  /** At which of its crossings since it was armed; 1 is the first. */
  readonly crossing: number;
  /** Only attempts of this number cross it; default: all. */
  readonly attempt?: number;
  /** Armed from the first moment on, so that it may end before it listens; otherwise by {@link ARMING_SIGNAL}. */
  readonly isArmedAtOnce: boolean;
}

/** Which attempt of which call. */
export interface AttemptName {
  readonly toolCallId: string;
  readonly number: number;
}

/** What a process leaves behind right before it ends at a boundary, or is frozen. */
export interface Death {
  readonly boundary: Boundary | "frozen";
  /** The attempts that crossed it; none where a whole execution did. */
  readonly attempts: readonly AttemptName[];
}

/** How a process comes to be frozen by itself. */
export interface Freeze {
  /** So many requests are held before the last check that they pass; then it stops. */
  readonly heldRequests: number;
}

/** How a process's disk fills up, on SQLite. */
export interface Shortage {
  /** The largest size of the journal, in bytes. */
  readonly maxBytes: number;
}

/**
 * Variables of a process with a {@link Fault}, a {@link Freeze} or a {@link Shortage}, and the file that {@link Death}s
 * are added to; all as JSON.
 */
export const FAULT_VARIABLES = {
  fault: "CRASH_FAULT",
  freeze: "CRASH_FREEZE",
  shortage: "CRASH_SHORTAGE",
  deaths: "CRASH_DEATHS",
} as const;

/** Arms a fault. */
export const ARMING_SIGNAL = "SIGUSR2";
/** What the process prints once it has heard that. */
export const ARMED = "the fault is armed";
