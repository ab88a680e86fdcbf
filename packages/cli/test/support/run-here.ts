import { Readable } from "node:stream";
import { format } from "node:util";
import { vi } from "vitest";
import { runProgram } from "../../src/program.ts";
import { PATH } from "./command.ts";

export interface Here {
  /** The whole environment of the command. */
  readonly env: NodeJS.ProcessEnv;
  /** What is on standard input; by default that of this process. */
  readonly input?: string;
}

export interface RunHere {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order in which they were written. */
  readonly output: string;
}

let isRunning = false;

/**
 * Runs `yagate …` in this process, which costs a tenth of a process of its own. A process runs one command at a time:
 * start a second one with `startCommand`.
 */
export async function runHere(args: readonly string[], { env, input }: Here): Promise<RunHere> {
  if (isRunning) throw new Error("expected no other command in this process: start one of them with startCommand");
  isRunning = true;
  const streams = { stdout: "", stderr: "" };
  let output = "";
  const write = (name: keyof typeof streams, text: string) => {
    streams[name] += text;
    output += text;
    return true;
  };
  const spies: { mockRestore(): void }[] = [
    vi.spyOn(console, "log").mockImplementation((...parts) => void write("stdout", `${format(...parts)}\n`)),
    vi.spyOn(console, "error").mockImplementation((...parts) => void write("stderr", `${format(...parts)}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation((text) => write("stdout", String(text))),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => write("stderr", String(text))),
  ];
  if (input !== undefined) {
    const stdin = Readable.from([Buffer.from(input)]);
    spies.push(vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as typeof process.stdin));
  }
  const { env: environment } = process;
  process.env = { PATH, ...env };
  try {
    await runProgram(args);
    return { status: Number(process.exitCode ?? 0), ...streams, output };
  } finally {
    process.env = environment;
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
    isRunning = false;
  }
}
