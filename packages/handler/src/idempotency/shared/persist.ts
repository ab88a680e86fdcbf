import { YagateError } from "@yagate/protocol";
import { pause } from "../../pause.ts";

const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 200;

/** Options of {@link persist}. */
export interface PersistOptions<Result> {
  /** The time for all tries together, in milliseconds. */
  readonly limitMs: number;
  /** Whether it is worth trying again. */
  readonly isTransient: (error: unknown) => boolean;
  /** Hears of a result that came when nobody waited for it any more. */
  readonly onLate?: (result: Result) => void;
}

/**
 * Tries one step of a database until it succeeds, fails for good, or the time is over: a connection that was cut or a
 * lock that somebody holds need not cost a call.
 *
 * @throws {@link YagateError} `UNAVAILABLE` when the time is over, with the last failure as its cause.
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
      const message = `the idempotency store did not answer within ${Math.round(limitMs)} ms`;
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
