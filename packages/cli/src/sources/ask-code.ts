import { createInterface } from "node:readline/promises";
import { YagateError } from "@yagate/protocol";
import type { Terminal } from "../signing-secrets/read-hidden.ts";

/**
 * Asks for a code until one is accepted.
 *
 * @param accept - returns undefined for a wrong code.
 * @throws YagateError `CANCELLED` at the end of the input; the errors of `accept`.
 */
export async function askForCode<Result>(
  accept: (code: string) => Promise<Result | undefined>,
  { input, output }: Pick<Terminal, "input" | "output">,
): Promise<Result> {
  const reader = createInterface({ input, output });
  let hasEnded = false;
  reader.once("close", () => {
    hasEnded = true;
  });
  try {
    reader.setPrompt("Code: ");
    reader.prompt();
    for await (const line of reader) {
      const code = line.trim();
      const accepted = code === "" ? undefined : await accept(code);
      if (accepted !== undefined) return accepted;
      if (code !== "") output.write("The code is not correct.\n");
      // The input may end while a code is tried.
      if (!hasEnded) reader.prompt();
    }
  } finally {
    reader.close();
  }
  throw new YagateError("CANCELLED", "no code was entered", { hint: "start again" });
}
