import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { askForCode } from "../../src/sources/ask-code.ts";

/** Asks a person who types these lines. @returns the result, and what the terminal showed. */
async function ask(typed: string, accept: (code: string) => Promise<string | undefined>) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  const result = await askForCode(accept, { input, output }).catch((error: unknown) => error);
  output.end();
  return { result, shown: await text(output) };
}

const accept = async (code: string) => (code === "K7QM-2XWP" ? "signed in" : undefined);

it("asks again after a wrong code, and not for an empty line", async () => {
  const { result, shown } = await ask("\nwrong\n  K7QM-2XWP \n", accept);
  expect(result).toBe("signed in");
  expect(shown.match(/The code is not correct\./g)).toHaveLength(1);
});

it("ends without a code at the end of the input, and with the error of a code that cannot be tried", async () => {
  expect((await ask("wrong\n", accept)).result).toMatchObject({ code: "CANCELLED" });
  const broken = async () => Promise.reject(new Error("no further attempt"));
  expect((await ask("K7QM-2XWP\n", broken)).result).toMatchObject({ message: "no further attempt" });
});
