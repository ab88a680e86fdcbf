import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { placeCommand } from "@yagate/example-stage/place-command";

/** A shell with the command `yagate`, and the gateway to which its commands connect. */
export interface Shell {
  run(command: string): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Stops the gateway. */
  close(): Promise<void>;
}

/** @param folder - the folder in which commands run and the gateway stores its data. */
export async function openShell(folder: string): Promise<Shell> {
  const path = await placeCommand(folder);
  const gateway = await startGateway(folder, path);

  return {
    async run(command) {
      const { exports } = gateway;
      const child = spawn("sh", ["-c", command], { cwd: folder, env: { PATH: path, ...exports } });
      let output = "";
      const take = (data: Buffer) => {
        output += data.toString();
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      const [exitCode] = await once(child, "close");
      return { exitCode: Number(exitCode), output };
    },
    close: gateway.stop,
  };
}

/** Starts `yagate dev`. Returns it with the variables that it prints. */
async function startGateway(folder: string, path: string) {
  const command = ["-c", "exec yagate dev --port 0 --data-dir data"];
  const child = spawn("sh", command, { cwd: folder, env: { PATH: path }, stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => child.kill();
  process.once("exit", kill);
  const ended = once(child, "close").finally(() => process.off("exit", kill));
  const exports: Record<string, string> = {};
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const [, name, value] = /^\s+export (YAGATE_\w+)=(\S+)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) exports[name] = value;
      if (line.startsWith("Ctrl+C")) resolve();
    });
    ended.then(() => reject(new Error("the gateway ended before it was listening")), reject);
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { exports, stop };
}
