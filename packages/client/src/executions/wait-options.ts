import { YagateError } from "@yagate/protocol";
import type { OnWaiting } from "./waiting.ts";

/** Options for how long to follow an execution, and what to call when it starts to wait. */
export interface WaitOptions {
  /** Called when the execution starts to wait for an approval, a callback, a fallback or a retry. */
  readonly onWaiting?: OnWaiting | undefined;
  /**
   * How long to wait for the execution to end, in ms: 1 to 2,147,483,647. Default: no limit. After this time,
   * `execute`, the loop and `result()` reject with a {@link NotFinishedError}, and the execution continues.
   */
  readonly maxWaitMs?: number | undefined;
}

const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Checks the options.
 *
 * @throws YagateError `INVALID_REQUEST` if one is invalid.
 */
export function requireWaitOptions({ onWaiting, maxWaitMs }: WaitOptions): void {
  if (onWaiting !== undefined && typeof onWaiting !== "function") {
    throw new YagateError("INVALID_REQUEST", "expected onWaiting to be a function");
  }
  if (maxWaitMs === undefined) return;
  if (Number.isInteger(maxWaitMs) && maxWaitMs >= 1 && maxWaitMs <= LONGEST_TIMER_MS) return;
  throw new YagateError("INVALID_REQUEST", `expected maxWaitMs to be a whole number from 1 to ${LONGEST_TIMER_MS}`);
}
