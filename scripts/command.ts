import { spawn } from "node:child_process";
import { once } from "node:events";

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Time limit, after which the command is killed and counts as failed. Default: 20 minutes. */
  readonly timeoutMs?: number;
}

/** A command that ended with a status other than 0, with its complete output. */
export class CommandFailed extends Error {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.name = "CommandFailed";
    this.output = output;
  }
}

/**
 * Runs a command without a terminal and without input.
 *
 * @returns its standard output.
 * @throws {@link CommandFailed} if it can't be started, ends with a status other than 0, or takes too long. The error
 * contains both streams in the order of arrival.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { cwd = process.cwd(), env = process.env, timeoutMs = 1_200_000 } = options;
  const shown = [command, ...args].join(" ");
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const standardOutput: string[] = [];
  const everything: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    standardOutput.push(text);
    everything.push(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => everything.push(text));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  try {
    const [status, signal] = await once(child, "close");
    const output = everything.join("");
    if (isLate) throw new CommandFailed(`${shown} took longer than ${timeoutMs / 1000} s`, output);
    if (status !== 0) throw new CommandFailed(`${shown} ended with ${signal ?? `status ${status}`}`, output);
    return standardOutput.join("");
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${shown} could not be started: ${String(error)}`, everything.join(""));
  } finally {
    clearTimeout(timer);
  }
}
