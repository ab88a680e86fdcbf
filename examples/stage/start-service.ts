import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface RunningService {
  /** The URL at which it listens, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a service as a separate process, as in production, on a free port. The service is ready when it prints the URL
 * at which it listens.
 */
export async function startService(
  file: URL,
  environment: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<RunningService> {
  const child = spawn(process.execPath, ["--conditions=@yagate/source", fileURLToPath(file)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...environment, PORT: "0" },
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  const ended = once(child, "exit").finally(() => process.off("exit", kill));
  const complaints: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    complaints.push(line);
    say(line);
  });

  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const address = /^listening on (http:\S+)$/.exec(line)?.[1];
      if (address === undefined) say(line);
      else resolve(address);
    });
    ended.then(() => reject(new Error(`the service ended before it was listening: ${complaints.join(" ")}`)), reject);
  });
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
