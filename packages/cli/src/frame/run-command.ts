import type { CommandSpec, Given } from "./command-spec.ts";
import { EXIT } from "./exit-status.ts";
import type { GlobalOptions } from "./globals.ts";

const SIGNALS = [
  ["SIGINT", EXIT.interrupted],
  ["SIGTERM", EXIT.terminated],
] as const;

/** Runs a command with the global options, prints its error and sets the exit status. */
export async function runCommand(
  { run, keepsTimeout = false, handlesSignals = false, fieldOptions }: CommandSpec,
  path: string,
  given: Omit<Given, "open">,
): Promise<void> {
  const { globals } = given;
  const stopListening = handlesSignals ? () => {} : endOnSignals();
  try {
    const running = run?.({ ...given, open: () => openInvocation(globals) }) ?? Promise.resolve();
    await (keepsTimeout || globals.timeout === undefined ? running : withinTimeout(running, globals));
  } catch (error) {
    (await import("./print-error.ts")).printError(error, path, globals, fieldOptions);
  } finally {
    stopListening();
  }
}

async function openInvocation(globals: GlobalOptions) {
  const { Invocation } = await import("./invocation.ts");
  return new Invocation(globals);
}

/**
 * Ends the process on signals. This is also needed for the first process in a container, for which signals have no
 * default action.
 */
function endOnSignals(): () => void {
  const listeners = SIGNALS.map(([signal, status]) => {
    const listener = () => process.exit(status);
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

async function withinTimeout(running: Promise<void>, globals: GlobalOptions): Promise<void> {
  // The command is abandoned in this case, together with its error.
  running.catch(() => undefined);
  const [{ YagateError }, { timeoutMs = 0 }] = await Promise.all([import("@yagate/protocol"), openInvocation(globals)]);
  let timer: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<never>((_resolve, reject) => {
    const error = new YagateError("NOT_FINISHED", `the command did not finish within ${globals.timeout}`, {
      hint: "wait longer with --timeout; requests that were already sent are not undone",
    });
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    await Promise.race([running, timeIsOver]);
  } finally {
    clearTimeout(timer);
  }
}
