import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCheck } from "../support/run-check.ts";

/** What bash offers for the last of these words. */
function complete(script: string, ...words: readonly string[]): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const program = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _yagate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync("bash", ["-c", program], { encoding: "utf8" }).stdout.trim().split("\n");
}

describe.skipIf(!existsSync("/bin/bash"))("yagate completion bash", () => {
  it("completes commands, commands of commands and options", async () => {
    const { stdout, status } = await runCheck(["completion", "bash"]);
    expect(status).toBe(0);
    expect(complete(stdout, "yagate", "ex")).toEqual(["exec", "executions"]);
    expect(complete(stdout, "yagate", "executions", "")).toEqual(expect.arrayContaining(["list", "show", "--json"]));
    expect(complete(stdout, "yagate", "--json", "executions", "list", "--st")).toEqual(["--status", "--stop-reason"]);
    expect(complete(stdout, "yagate", "verify", "--secret")).toEqual([
      "--secret-env",
      "--secret-file",
      "--secret-stdin",
    ]);
  });
});

it.each(["zsh", "fish"])("a script for %s names the commands", async (shell) => {
  const { stdout, status } = await runCheck(["completion", shell]);
  expect([status, stdout]).toEqual([0, expect.stringContaining("executions")]);
});

it("another shell is refused with those that there are", async () => {
  const { status, stderr } = await runCheck(["completion", "tcsh"]);
  expect([status, stderr]).toEqual([2, expect.stringContaining("bash, zsh, fish")]);
});
