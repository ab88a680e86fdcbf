import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { askToConfirm } from "../../src/frame/confirm.ts";
import { Invocation } from "../../src/frame/invocation.ts";
import { runCheck } from "../support/run-check.ts";

async function answer(line: string | undefined): Promise<{ readonly asked: string; readonly error: unknown }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asking = askToConfirm("Delete it?", { isInteractive: true, input, output }).catch((error: unknown) => error);
  if (line === undefined) input.end();
  else input.write(line);
  const error = await asking;
  output.end();
  return { asked: await text(output), error };
}

describe("a question before something is lost", () => {
  it.each(["y\n", "yes\n", "YES\n", " y \n"])("goes on with %j", async (line) => {
    const { asked, error } = await answer(line);
    expect([asked, error]).toEqual([expect.stringContaining("Delete it? [y/N] "), undefined]);
  });

  it.each(["\n", "n\n", "yeah no\n", undefined])("changes nothing with %j", async (line) => {
    expect((await answer(line)).error).toMatchObject({ code: "CANCELLED", hint: expect.stringContaining("--yes") });
  });

  it.each<[string, object, boolean]>([
    ["--yes", { yes: true }, true],
    ["--yes and --no-input", { yes: true, input: false }, true],
    ["no terminal", {}, false],
    ["--no-input and no terminal", { input: false }, false],
  ])("is not asked with %s", async (_name, globals, isTerminal) => {
    setTerminal(isTerminal);
    await expect(new Invocation(globals).confirm("Delete it?")).resolves.toBeUndefined();
  });
});

describe("--no-input on a terminal fails instead of asking", () => {
  it("for a confirmation", async () => {
    setTerminal(true);
    await expect(new Invocation({ input: false }).confirm("Delete it?")).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("--yes"),
    });
  });

  it.each([[["secret", "set", "OPENAI_KEY"]], [["login"]]])("for the secret of %j", async (command) => {
    setTerminal(true);
    // Nothing is typed, so a command that reads on gets an empty secret.
    vi.spyOn(process.stdin, Symbol.asyncIterator).mockReturnValue(PassThrough.from([])[Symbol.asyncIterator]());
    const args = [...command, "--no-input", "--url", "http://127.0.0.1:1"];
    const { status, stdout, stderr } = await runCheck(args, { env: { YAGATE_API_KEY: "yk_environment" } });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("expected a secret on standard input, which is a terminal");
  });
});

/** Makes standard input and standard error a terminal, or not, for one test. */
function setTerminal(isTTY: boolean): void {
  for (const stream of [process.stdin, process.stderr]) {
    const before = Object.getOwnPropertyDescriptor(stream, "isTTY") ?? { value: undefined };
    Object.defineProperty(stream, "isTTY", { value: isTTY, configurable: true });
    onTestFinished(() => void Object.defineProperty(stream, "isTTY", { configurable: true, ...before }));
  }
}
