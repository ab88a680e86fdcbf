import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { stepEnvironment } from "../../scripts/step-environment.ts";

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** How a server is started, and how it tells its port. */
export interface RuntimeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Finds the port, as its first group, in what the server prints on its output or on its third descriptor. */
  readonly port: RegExp;
}

/** A server in a separate process. */
export interface RuntimeProcess {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a server and waits until it has reported its port. */
export async function startRuntime({ command, args, cwd, env, port }: RuntimeCommand): Promise<RuntimeProcess> {
  const child = spawn(command, args, {
    cwd: cwd ?? import.meta.dirname,
    env: { ...stepEnvironment(), NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    // A separate process group, so that what it starts ends with it.
    detached: process.platform !== "win32",
  });
  let failure: unknown;
  child.on("error", (error) => {
    failure = error;
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const streams = child.stdio.slice(1).filter((stream): stream is Readable => stream instanceof Readable);
  const stop = async () => {
    const killing = setTimeout(() => kill("SIGKILL"), STOP_TIMEOUT_MS);
    kill("SIGTERM");
    await closed;
    clearTimeout(killing);
  };
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  };
  // For the case that the tests end without having been able to stop it.
  const endWithTests = () => kill("SIGKILL");
  process.once("exit", endWithTests);
  void closed.then(() => process.off("exit", endWithTests));
  try {
    return { port: Number(await firstMatch(streams, port, closed)), stop };
  } catch (error) {
    await stop();
    throw failure ?? error;
  }
}

/** The first group of the pattern in what the streams say; what they have said, when they end or take too long. */
function firstMatch(streams: readonly Readable[], pattern: RegExp, closed: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string) => reject(new Error(`${why}: ${said}`));
    const timer = setTimeout(() => fail("the server did not tell its port in time"), START_TIMEOUT_MS);
    const end = () => {
      clearTimeout(timer);
      fail("the server ended");
    };
    void closed.then(end);
    for (const stream of streams) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = pattern.exec(said)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
  });
}
