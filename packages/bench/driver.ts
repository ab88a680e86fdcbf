import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a driver measured of itself. */
export interface Measured {
  readonly executions: number;
  readonly seconds: number;
  readonly cpuMs: number;
}

/** Starts a script of the benchmarks in a separate process, which ends with this one. */
export function startDriver(
  script: URL,
  args: readonly string[] = [],
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): ChildProcess {
  return fork(fileURLToPath(script), args, {
    execArgv: ["--conditions=@yagate/source", ...flags],
    env: { ...process.env, ...variables },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Runs a driver to its end and returns what it has measured. */
export async function runDriver<Result = Measured>(
  script: URL,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Result> {
  const driver = startDriver(script, args, flags);
  const ended = once(driver, "exit");
  const measured = await messageOf<Result>(driver);
  await ended;
  return measured;
}

/** The next message of a driver; one that ends without it has failed. */
export async function messageOf<Content>(driver: ChildProcess): Promise<Content> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a driver ended with ${code} before it had answered`));
    driver.once("exit", onExit);
    driver.once("message", (content) => {
      driver.off("exit", onExit);
      resolve(content as Content);
    });
  });
}
