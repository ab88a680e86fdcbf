import { accessSync, constants } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { shellWord } from "./text/shell-word.ts";

/**
 * Returns the beginning of commands that are printed for copying, so that they work in the shell that started this
 * process:
 *
 * - `npx @yagate/cli` under npx, or a script of a package manager, which do not add the command to the shell's `PATH`
 * - `yagate` if it is on the `PATH`
 * - `node <file>`, as this process was started, in all other cases
 */
export function commandName(): string {
  const { npm_command: npm, npm_config_user_agent: manager, PATH = "" } = process.env;
  if (npm !== undefined || manager !== undefined) return "npx @yagate/cli";
  if (PATH.split(delimiter).some((folder) => ["yagate", "yagate.cmd"].some((file) => isProgram(join(folder, file))))) {
    return "yagate";
  }
  const [, script = "yagate"] = process.argv;
  return ["node", ...process.execArgv, relative(process.cwd(), script)].map(shellWord).join(" ");
}

/** Replaces `yagate` with the name of this command in a text that contains commands such as `yagate login`. */
export function withCommandName(text: string): string {
  return text.replaceAll(/(?<![\w@/.-])yagate(?= [a-z])/g, () => commandName());
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
