import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { askToConfirm } from "../../src/frame/confirm.ts";
import { Invocation } from "../../src/frame/invocation.ts";

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
    ["--no-input", { input: false }, true],
    ["no terminal", {}, false],
  ])("is not asked with %s", async (_name, globals, isTerminal) => {
    const streams = [process.stdin, process.stderr];
    for (const stream of streams) {
      const before = Object.getOwnPropertyDescriptor(stream, "isTTY") ?? { value: undefined };
      Object.defineProperty(stream, "isTTY", { value: isTerminal, configurable: true });
      onTestFinished(() => void Object.defineProperty(stream, "isTTY", { configurable: true, ...before }));
    }
    await expect(new Invocation(globals).confirm("Delete it?")).resolves.toBeUndefined();
  });
});
