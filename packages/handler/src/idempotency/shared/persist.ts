import { YagateError } from "@yagate/protocol/calls";
import { pause } from "../../pause.ts";

const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 200;

/** Options for {@link persist}. */
export interface PersistOptions<Result> {
  /** Time limit for all attempts together, in ms. */
  readonly limitMs: number;
  /** Decides whether to retry after this error. */
  readonly isTransient: (error: unknown) => boolean;
  /** Called with a result that arrives after the time limit. */
  readonly onLate?: (result: Result) => void;
}

/**
 * Repeats one database operation until it succeeds, fails permanently or reaches the time limit, so that a dropped
 * connection or a lock does not make a call fail.
 *
 * @throws {@link YagateError} `UNAVAILABLE` at the time limit, with the last failure as its cause.
 */
export function persist<Result>(work: () => Promise<Result>, options: PersistOptions<Result>): Promise<Result> {
  const { limitMs, isTransient, onLate } = options;
  const over = new AbortController();
  let cause: unknown;

  const tryUntilOver = async (): Promise<Result> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        return await work();
      } catch (error) {
        if (over.signal.aborted || !isTransient(error)) throw error;
        cause = error;
      }
      await pause(pauseMs * (0.5 + Math.random() / 2), over.signal);
      if (over.signal.aborted) throw cause;
    }
  };

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      over.abort();
      const message = `the idempotency store did not respond within ${Math.round(limitMs)} ms`;
      reject(new YagateError("UNAVAILABLE", message, { cause }));
    }, limitMs);
    tryUntilOver().then(
      (result) => {
        clearTimeout(timer);
        if (over.signal.aborted) onLate?.(result);
        else resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
