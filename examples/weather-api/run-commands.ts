import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "@yagate/example-stage/start-service";
import { openShell, type Shell } from "./shell.ts";

/** The API's URL in the files. */
const WRITTEN_HOST = "127.0.0.1:4830";
const FILES = ["weather-tool.json", "agent.json"];

/** The result of one command. */
export interface CommandOutcome {
  readonly command: string;
  readonly exitCode: number;
  /** Its output, from both streams. */
  readonly output: string;
}

/** The command in the README, and what the shell of this run has in its place. */
const [PRINTED, PLACED] = ["npx @yagate/cli", "yagate"];

/** A run of all commands, and the key, which none of them may print. */
export interface CommandsRun {
  readonly outcomes: readonly CommandOutcome[];
  readonly weatherKey: string;
}

/**
 * Runs the commands of the README, each in a separate process, against a gateway and an API that it starts for them.
 * Stops after the first command that fails.
 *
 * @param say - receives each command before it runs, and then its output.
 */
export async function runCommands(say: (line: string) => void): Promise<CommandsRun> {
  const folder = await mkdtemp(join(tmpdir(), "yagate-weather-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const weatherKey = randomBytes(12).toString("hex");
    const file = new URL("weather-service.ts", import.meta.url);
    const service = await startService(file, { WEATHER_API_KEY: weatherKey }, say);
    stops.push(() => service.stop());
    await writeFiles(folder, new URL(service.url).host, weatherKey);
    const shell = await openShell(folder);
    stops.push(() => shell.close());
    return { outcomes: await runAll(shell, say), weatherKey };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function runAll(shell: Shell, say: (line: string) => void): Promise<readonly CommandOutcome[]> {
  const outcomes: CommandOutcome[] = [];
  for (const command of await readCommands()) {
    say(`\n$ ${command}`);
    const outcome = { command, ...(await shell.run(command)) };
    say(outcome.output.trimEnd());
    outcomes.push(outcome);
    if (outcome.exitCode !== 0) break;
  }
  return outcomes;
}

async function readCommands(): Promise<readonly string[]> {
  const readme = await readFile(new URL("README.md", import.meta.url), "utf8");
  const lines = readme.split("\n").filter((line) => line.startsWith(`${PRINTED} `));
  return lines.map((line) => line.replace(PRINTED, PLACED));
}

async function writeFiles(folder: string, host: string, weatherKey: string): Promise<void> {
  for (const file of FILES) {
    const written = await readFile(new URL(file, import.meta.url), "utf8");
    await writeFile(join(folder, file), written.replaceAll(WRITTEN_HOST, host));
  }
  await writeFile(join(folder, "weather-key.txt"), `${weatherKey}\n`);
}
