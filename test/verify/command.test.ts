import { expect, it } from "vitest";
import { CommandFailed, runCommand } from "../../scripts/command.ts";

const node = (text: string, timeoutMs = 20_000) =>
  runCommand(process.execPath, ["--eval", text], { env: { PATH: process.env["PATH"] }, timeoutMs });

it("a command's standard output is its result", async () => {
  await expect(node("console.log('out'); console.error('err')")).resolves.toBe("out\n");
});

it("a command has no input to wait for", async () => {
  await expect(node("console.log(require('node:fs').readFileSync(0).length)")).resolves.toBe("0\n");
});

it.each([
  ["another status than 0", "console.log('out'); console.error('err'); process.exitCode = 3", "status 3"],
  ["a signal", "console.log('out'); console.error('err'); process.kill(process.pid, 'SIGKILL')", "SIGKILL"],
])("%s fails, and both streams are kept", async (_name, text, reason) => {
  const error = await node(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandFailed);
  expect(error).toMatchObject({ message: expect.stringContaining(reason) });
  expect(error).toMatchObject({ output: expect.stringContaining("out\n") });
  expect(error).toMatchObject({ output: expect.stringContaining("err\n") });
});

it("a command that takes too long fails", async () => {
  await expect(node("setInterval(() => {}, 1000)", 100)).rejects.toThrow("took longer than 0.1 s");
});

it("a command that does not exist fails", async () => {
  await expect(runCommand("no-such-command", [])).rejects.toThrow("could not be started");
});
