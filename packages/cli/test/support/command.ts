import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

// Each test starts a process: what was compiled once is kept.
export const COMPILED = fileURLToPath(new URL("../../../../node_modules/.cache/yagate-compiled", import.meta.url));

const BIN = fileURLToPath(new URL("../../../../node_modules/.bin", import.meta.url));
/** The command `yagate` is on the path, as after an installation. */
export const PATH = `${BIN}${delimiter}${process.env["PATH"]}`;

/** No profile of a person who runs the tests. */
export const NO_PROFILES = { XDG_CONFIG_HOME: "/nonexistent" } as const;

/** Keys for `serve`, of no worth outside of these tests. */
export const KEYS = {
  YAGATE_API_KEY: "yk_0123456789abcdef0123456789abcdef",
  YAGATE_MASTER_KEYS: `k1:${Buffer.from("the CLI tests own master key, 1!").toString("base64")}`,
} as const;

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A shell command that is run first in the same process, such as `ulimit -f 8`. */
  readonly before?: string;
}

/** `yagate …` as a process of its own. */
export interface Command {
  readonly child: ChildProcess;
  /** Everything that was printed so far. */
  readonly output: () => string;
  /** Resolves with the match when the output has it; rejects when the process ends without. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** How it ended: an exit status, or the name of a signal. */
  readonly ended: Promise<number | string>;
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** Starts the command with nothing of this process's environment but what Node needs. */
export function startCommand(args: readonly string[], { env = {}, cwd, before }: CommandOptions = {}): Command {
  const { NODE_OPTIONS = "", TMPDIR } = process.env;
  const [file, ...rest] =
    before === undefined
      ? [process.execPath, MAIN, ...args]
      : ["bash", "-c", `${before}; exec "$0" "$@"`, process.execPath, MAIN, ...args];
  const child = spawn(file, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH,
      NODE_OPTIONS,
      ...NO_PROFILES,
      NODE_COMPILE_CACHE: COMPILED,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      ...env,
    },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let text = "";
  const listeners = new Set<() => void>();
  const take = (data: Buffer) => {
    text += data.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = once(child, "close").then(([code, signal]): number | string => code ?? signal);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    output: () => text,
    until(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then((status) => reject(new Error(`ended with ${status} before it printed ${pattern}:\n${text}`)));
      });
    },
    ended,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs the command to its end. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}) {
  const command = startCommand(args, options);
  return { status: await command.ended, output: command.output() };
}

/** Starts a gateway and waits until it listens. */
export async function startListening(args: readonly string[], options: CommandOptions = {}) {
  const command = startCommand(args, options);
  const [, url = ""] = await command.until(/listens on (http:\S+)/);
  return { ...command, url };
}
