import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** How a verifier in one language is started. */
export interface Runner {
  readonly fileName: string;
  /** Asks whether the language is on this machine. */
  readonly probe: readonly [string, ...string[]];
  /** Turns the written file into a command, to which header value and secret are added. */
  toCommand(file: string): readonly [string, ...string[]];
}

/** By the language of the block. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  js: {
    fileName: "verify.mjs",
    probe: [process.execPath, "--version"],
    toCommand: (file) => [process.execPath, file],
  },
  python: { fileName: "verify.py", probe: ["python3", "--version"], toCommand: (file) => ["python3", file] },
  ruby: { fileName: "verify.rb", probe: ["ruby", "--version"], toCommand: (file) => ["ruby", file] },
  php: { fileName: "verify.php", probe: ["php", "--version"], toCommand: (file) => ["php", file] },
  go: {
    fileName: "verify.go",
    probe: ["go", "version"],
    toCommand(file) {
      const program = `${file}.bin`;
      const built = spawnSync("go", ["build", "-o", program, file], { encoding: "utf8" });
      if (built.status !== 0) throw new Error(`go build: ${built.stderr}`);
      return [program];
    },
  },
};

export function isInstalled({ probe: [command, ...args] }: Runner): boolean {
  return spawnSync(command, args).status === 0;
}

/** Writes a verifier into a folder and makes it callable. */
export function startable(runner: Runner, text: string, folder: string): readonly [string, ...string[]] {
  const file = join(folder, runner.fileName);
  writeFileSync(file, text);
  return runner.toCommand(file);
}
