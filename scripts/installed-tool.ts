import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "./command.ts";
import { repositoryRoot } from "./repository-root.ts";
import { stepEnvironment } from "./step-environment.ts";

const manifestSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** Returns the JavaScript file of an installed package's command, to run it without a shell or PATH. */
export function installedTool(packageName: string, command = packageName): string {
  const folder = join(repositoryRoot, "node_modules", packageName);
  const { bin } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const file = typeof bin === "string" ? bin : bin[command];
  if (file === undefined) throw new Error(`${packageName} has no command named ${command}`);
  return join(folder, file);
}

/**
 * Runs a command of an installed package with the Node that runs this script.
 *
 * @param timeoutMs - default: that of `runCommand`.
 */
export function runTool(
  tool: string,
  args: readonly string[],
  cwd = repositoryRoot,
  timeoutMs?: number,
): Promise<string> {
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  return runCommand(process.execPath, [tool, ...args], { cwd, env: stepEnvironment(), ...limit });
}
