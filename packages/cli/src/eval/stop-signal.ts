import { YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";

/** Stops a run on a signal or at a time limit, so that its executions are cancelled. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** The exit status after a signal; undefined if none arrived. */
  readonly status: number | undefined;
  close(): void;
}

const SIGNALS = [
  ["SIGINT", EXIT.interrupted],
  ["SIGTERM", EXIT.terminated],
] as const;

/** Listens for signals until it is closed. At the time limit, the signal's reason is the error `NOT_FINISHED`. */
export function stopSignal(timeoutMs: number | undefined): StopSignal {
  const controller = new AbortController();
  let status: number | undefined;
  const listeners = SIGNALS.map(([name, code]) => {
    const listener = () => {
      // The second signal ends the process at once.
      if (status !== undefined) process.exit(code);
      status = code;
      controller.abort();
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  const error = new YagateError(
    "NOT_FINISHED",
    "the cases did not end within --timeout; their executions were cancelled",
    {
      hint: "wait longer with --timeout",
    },
  );
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(error), timeoutMs);
  return {
    signal: controller.signal,
    get status() {
      return status;
    },
    close() {
      clearTimeout(timer);
      for (const stop of listeners) stop();
    },
  };
}
