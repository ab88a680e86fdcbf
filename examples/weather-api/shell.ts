import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A shell that knows the command `yagate`, and a gateway that its commands talk to. */
export interface Shell {
  run(command: string): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Stops the gateway. */
  close(): Promise<void>;
}

/** @param folder - where commands run, and the gateway keeps its data. */
export async function openShell(folder: string): Promise<Shell> {
  const commands = join(folder, "bin");
  await mkdir(commands);
  const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
  const script = `#!/bin/sh\nexec '${process.execPath}' --conditions=@yagate/source '${main}' "$@"\n`;
  await writeFile(join(commands, "yagate"), script);
  await chmod(join(commands, "yagate"), 0o755);
  const path = `${commands}${delimiter}${process.env["PATH"] ?? ""}`;
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

/** `yagate dev`, and the variables that it says to export. */
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
    ended.then(() => reject(new Error("the gateway ended before it listened")), reject);
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { exports, stop };
}
