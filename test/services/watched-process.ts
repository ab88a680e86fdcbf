import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Account } from "./account.ts";

export interface WatchedProcessOptions {
  /** The program's whole path, and its arguments. */
  readonly command: readonly [program: string, ...values: string[]];
  /** Where it works; removed with all that is in it once the program has ended, unless it holds a {@link KEPT_MARK}. */
  readonly directory: string;
  /** Whose rights it has. Default: this process's. */
  readonly account: Account | undefined;
  /** A part of the line that says that it accepts connections. */
  readonly readyText: string;
  /** Ends it in order. */
  readonly endSignal: "INT" | "TERM";
}

export interface WatchedProcess {
  /** Resolves when the program has ended, by itself or not, and its directory is gone. */
  readonly ended: Promise<void>;
  /** Ends the program; resolves when it and its directory are gone. */
  stop(): Promise<void>;
}

/** A file in a program's directory by which the directory outlives it: somebody wants to start it there again. */
export const KEPT_MARK = "kept";

/**
 * The shell stands between the program and us and reads from a pipe that nobody writes to: when this process ends,
 * however it ends, the pipe closes, and the shell ends the program and clears up. It asks again and again: a program that
 * has just begun may not listen to signals yet. It prints nothing: nobody may be there
 * to read it, and it would end before its work is done.
 */
const WATCH = `
directory=$1 signal=$2
shift 2
exec 3<&0
"$@" 3<&- &
server=$!
exec > /dev/null 2>&1
{ read -r _ <&3; while kill -s "$signal" "$server"; do sleep 0.2; done; } &
watch=$!
wait "$server"
status=$?
kill "$watch"
[ -e "$directory/${KEPT_MARK}" ] || rm -rf -- "$directory"
exit "$status"
`;

/** How much of what the program prints is kept for the message of its failure. */
const KEPT_CHARACTERS = 4_000;

/**
 * Starts a server that does not outlive this process, even one that is killed. Resolves when it is ready.
 *
 * @throws Error with what it printed, when it ends before.
 */
export async function startWatched(options: WatchedProcessOptions): Promise<WatchedProcess> {
  const { command, directory, account, readyText, endSignal } = options;
  const child = spawn("/bin/sh", ["-c", WATCH, "watch", directory, endSignal, ...command], {
    ...account,
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C reaches this process alone; the rest follows from its end.
    detached: true,
  });
  const ended = once(child, "close");
  let output = "";
  const ready = new Promise<void>((resolve) => {
    const take = (data: Buffer) => {
      output = `${output}${data.toString()}`.slice(-KEPT_CHARACTERS);
      if (output.includes(readyText)) resolve();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
  });
  const failed = ended.then(([code]) => {
    throw new Error(`${command[0]} ended with ${code}:\n${output}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => {});
  const over = ended.then(() => {});
  return {
    ended: over,
    async stop() {
      child.stdin.end();
      await over;
    },
  };
}
