import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "@yagate/gateway";
import { YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";

/**
 * Starts a gateway and stops it on SIGINT or SIGTERM; a second signal ends the process immediately.
 *
 * @param introduce - prints where the gateway listens.
 * @throws YagateError if the gateway cannot start; `NOT_FINISHED` if it is not listening within `--timeout`.
 */
export async function runUntilSignal(
  gateway: Gateway,
  { output, globals, timeoutMs }: Invocation,
  introduce: (url: string) => void | Promise<void>,
): Promise<void> {
  // Without a listener, a write beyond the process's file size limit ends the process silently. With one, the write
  // fails, and the store reports a full disk.
  process.on("SIGXFSZ", () => undefined);
  const starting = gateway.start();
  const { url } = await (timeoutMs === undefined
    ? starting
    : Promise.race([starting, failAfter(timeoutMs, globals.timeout ?? "")]));
  const signalled = firstSignal();
  await introduce(url);
  await signalled;
  if (output.isJson) output.line({ type: "stopping" }, () => "");
  else output.note("Stopping: waiting for calls in flight …");
  await gateway.stop();
}

async function failAfter(timeoutMs: number, timeout: string): Promise<never> {
  await sleep(timeoutMs, undefined, { ref: false });
  throw new YagateError("NOT_FINISHED", `the gateway is not listening after ${timeout}`, {
    hint: "allow more time with --timeout, or read the log (YAGATE_LOG_LEVEL=debug)",
  });
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const statuses = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated };
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(statuses[signal]);
        resolve();
      });
    }
  });
}
