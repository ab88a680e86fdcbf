import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Puts the command `yagate` into a folder, as an installation would. @returns a `PATH` on which it is found. */
export async function placeCommand(folder: string): Promise<string> {
  const commands = join(folder, "bin");
  await mkdir(commands);
  const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
  const script = `#!/bin/sh\nexec '${process.execPath}' --conditions=@yagate/source '${main}' "$@"\n`;
  await writeFile(join(commands, "yagate"), script);
  await chmod(join(commands, "yagate"), 0o755);
  return `${commands}${delimiter}${process.env["PATH"] ?? ""}`;
}
