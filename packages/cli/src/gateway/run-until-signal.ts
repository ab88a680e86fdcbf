import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CompleteConfig, Gateway } from "@yagate/gateway";
import { YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";

/** The file in a data directory with the process that uses it. */
export const RECORD_FILE = "gateway.json";

interface RunOptions {
  readonly config: CompleteConfig;
  /** The command that runs the gateway, such as `dev`. */
  readonly command: string;
  /** Prints where the gateway listens. */
  readonly introduce: (url: string) => void | Promise<void>;
}

/**
 * Starts a gateway and stops it on SIGINT or SIGTERM; a second signal ends the process immediately.
 *
 * @throws YagateError if the gateway cannot start; `NOT_FINISHED` if it is not listening within `--timeout`.
 */
export async function runUntilSignal(
  gateway: Gateway,
  { output, globals, timeoutMs }: Invocation,
  { config, command, introduce }: RunOptions,
): Promise<void> {
  // Without a listener, a write beyond the process's file size limit ends the process silently. With one, the write
  // fails, and the store reports a full disk.
  process.on("SIGXFSZ", () => undefined);
  const starting = gateway.start().catch(async (error) => {
    throw (await import("./data-directory-in-use.ts")).explainStart(error, config, RECORD_FILE);
  });
  const { url } = await (timeoutMs === undefined
    ? starting
    : Promise.race([starting, failAfter(timeoutMs, globals.timeout ?? "")]));
  const signalled = firstSignal();
  const removeRecord = recordProcess(config, { pid: process.pid, command: `yagate ${command}`, url });
  await introduce(url);
  await signalled;
  if (output.isJson) output.line({ type: "stopping" }, () => "");
  else output.note("Stopping: waiting for calls in flight …");
  removeRecord();
  await gateway.stop();
}

/**
 * Records which process uses a data directory, and where it listens. A gateway with a PostgreSQL database does not lock
 * its directory.
 *
 * @returns removes the record.
 */
function recordProcess({ dataDir, databaseUrl }: CompleteConfig, record: object): () => void {
  if (databaseUrl !== undefined) return () => {};
  const file = join(dataDir, RECORD_FILE);
  writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
  return () => rmSync(file, { force: true });
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
